/** The hook: where it is, examples, and its text, which is checked while it is typed. */
import { isRadarError, messageOf } from "@dechirp/core";
import { useEffect, useId, useState } from "preact/hooks";
import { guideAddress } from "../shell/location.ts";
import { Choose } from "../ui/choose.tsx";
import { useLatest } from "../ui/use-latest.ts";
import { useSession } from "../ui/use-session.ts";
import type { CheckApi, CheckedHook } from "./check-worker.ts";
import { examples, firstText, indexOf } from "./examples.ts";
import type { HookPlace, TransformChoices } from "./problem.ts";

interface HookProps {
  readonly choices: TransformChoices;
  readonly change: (values: Partial<TransformChoices>) => void;
}

/** How long typing pauses before a right text is measured, in milliseconds. */
const pause = 500;

const places: Readonly<Record<HookPlace, string>> = {
  none: "none",
  load: "load: computes the input",
  store: "store: maps the results",
};

export function Hook({ choices, change }: HookProps) {
  const { hook, axis } = choices;
  return (
    <section aria-labelledby="hook-title">
      <h2 id="hook-title">Hook</h2>
      <div class="hook-choices">
        <Choose
          label="Place of the hook"
          value={hook}
          choices={places}
          change={(next) => change({ hook: next, ...(next !== "none" && { text: firstText(next, axis) }) })}
        />
        {hook !== "none" && (
          <label>
            Example
            <select
              value={examples.findIndex((one) => one.place === hook && one.text(indexOf(axis)) === choices.text)}
              onChange={({ currentTarget }) => {
                const example = examples[Number(currentTarget.value)];
                if (example) change({ text: example.text(indexOf(axis)) });
              }}
            >
              <option value={-1}>own text</option>
              {examples.map(({ name, place }, i) =>
                place === hook ? (
                  <option key={name} value={i}>
                    {name}
                  </option>
                ) : null,
              )}
            </select>
          </label>
        )}
      </div>
      {hook !== "none" && <HookText key={hook} choices={choices} place={hook} change={change} />}
    </section>
  );
}

function HookText({ choices, place, change }: HookProps & { readonly place: Exclude<HookPlace, "none"> }) {
  const [draft, setDraft] = useState(choices.text);
  const id = useId();
  const session = useSession<CheckApi>(
    () => new Worker(new URL("./check-worker.ts", import.meta.url), { type: "module", name: "hook-check" }),
  );
  const { n, batch, axis, direction, type } = choices;
  const checked = useLatest(async () => {
    const facts = (await session.settled(session.api.check({ ...choices, text: draft }, place))) as CheckedHook;
    return { ...facts, draft };
  }, [draft, place, n, batch, axis, direction, type]);
  useEffect(() => setDraft(choices.text), [choices.text]);
  const rightText = checked.error === undefined && !checked.isBusy ? checked.value?.draft : undefined;
  useEffect(() => {
    if (rightText === undefined || rightText === choices.text) return undefined;
    const timer = setTimeout(() => change({ text: rightText }), pause);
    return () => clearTimeout(timer);
  }, [rightText, choices.text]);
  return (
    <>
      <label for={`${id}-text`}>
        Text of the hook: <code>{place === "load" ? "x" : "value"}</code> is {place === "load" ? "the input" : "a result of the transform"},{" "}
        <code>w</code> a Hann window along the lines, <code>i0</code> and <code>i1</code> the indices.{" "}
        <a href={guideAddress("expressions")}>The text form</a>
      </label>
      <textarea
        id={`${id}-text`}
        class="code"
        rows={3}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        maxLength={2000}
        value={draft}
        aria-describedby={`${id}-told`}
        aria-invalid={checked.error !== undefined ? "true" : undefined}
        onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      />
      <p id={`${id}-told`} role="status" class={checked.error === undefined ? "hook-told" : "hook-told wrong"} data-figure="hook-check">
        {checked.error !== undefined ? wrongText(checked.error, draft) : checked.value ? rightSentence(checked.value) : "Checking"}
      </p>
    </>
  );
}

const rightSentence = ({ nodes, output }: CheckedHook): string =>
  `Right: ${nodes} operations and values; the result of the transform is written as ${output}.`;

/** One sentence with the place in the text. */
function wrongText(error: unknown, text: string): string {
  const offset = isRadarError(error) ? error.fields["offset"] : undefined;
  const told = messageOf(error)
    .replace(/^expression: /, "")
    .replace(/ \(?at character \d+\)?/, "");
  if (typeof offset !== "number") return `Wrong: ${told}.`;
  const before = text.slice(0, offset).split("\n");
  return `Wrong in line ${before.length}, column ${before[before.length - 1].length + 1}: ${told}.`;
}
