/** The proposal as a table: parameter, value, why, and a control that sets it. What is set is in the address. */
import { messageOf } from "@dechirp/core";
import { useEffect, useId, useState } from "preact/hooks";
import type { Setting } from "../settings.ts";
import { Scrolls } from "../ui/scrolls.tsx";
import type { Proposal, ProposedParameter } from "./messages.ts";
import { settings, type Values } from "./settings.ts";
import { settingIn } from "./wording.ts";

const windows = ["kaiser:2.5", "rect", "hann", "hamming", "taylor:4,-35", "kaiser:6"];

/** Settings that have a control: choices, or a text with suggestions. */
const controls: Readonly<
  Record<string, { readonly hint: string; readonly list?: readonly string[]; readonly choices?: readonly string[] }>
> = {
  centroid: { hint: "Hz, or auto to measure it", list: ["auto"] },
  velocity: { hint: "m/s" },
  bandwidth: { hint: "Hz" },
  rangeWindow: { hint: "window", list: windows },
  azimuthWindow: { hint: "window", list: windows },
  window: { hint: "window", list: windows },
  rcmc: { hint: "", choices: ["sinc8", "sinc16", "nearest", "off"] },
  src: { hint: "", choices: ["on", "off"] },
  rows: { hint: "", choices: ["all", "full"] },
  mode: { hint: "", choices: ["precise", "fast"] },
  memory: { hint: "MiB" },
};

interface SetProps {
  readonly values: Values;
  readonly change: (values: Partial<Values>) => void;
  /** The error of the run, which may be about a setting. */
  readonly error: unknown;
}

interface ProposalTableProps extends SetProps {
  readonly proposal: Proposal;
}

export function ProposalTable({ proposal: { parameters, warnings }, ...shared }: ProposalTableProps) {
  return (
    <>
      <Scrolls label="Parameters">
        <table class="proposal">
          <thead>
            <tr>
              <th scope="col">Parameter</th>
              <th scope="col">Value</th>
              <th scope="col">Set</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {parameters.map((parameter) => (
              <Parameter key={parameter.id} parameter={parameter} {...shared} />
            ))}
          </tbody>
        </table>
      </Scrolls>
      {warnings.map((text) => (
        <p key={text} class="warning" role="status">
          {text}
        </p>
      ))}
    </>
  );
}

function Parameter({ parameter: { id, name, value, why }, ...shared }: SetProps & { readonly parameter: ProposedParameter }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-figure={id}>{value}</td>
      <td class="set">{Object.hasOwn(controls, id) && <SetParameter id={id as keyof Values} name={name} {...shared} />}</td>
      <td class="why">{why}</td>
    </tr>
  );
}

function SetParameter({ id, name, values, change, error }: SetProps & { readonly id: keyof Values; readonly name: string }) {
  const [listId, problemId] = [useId(), useId()];
  /** Text that has been typed and is not the setting's, with what is wrong with it. It stays while the page draws progress. */
  const [draft, setDraft] = useState<{ readonly text: string; readonly problem?: string }>();
  const { hint, list, choices } = controls[id]!;
  const setting = settings[id] as Setting<unknown>;
  const value = setting.format(values[id]);
  // What is set elsewhere, such as in the address, replaces what was typed.
  useEffect(() => setDraft(undefined), [value]);
  const set = (text: string): void => {
    try {
      change({ [id]: setting.parse(text.trim(), name) });
      setDraft(undefined);
    } catch (refused) {
      setDraft({ text, problem: messageOf(refused) });
    }
  };
  const problem = draft ? draft.problem : settingIn(error) === id ? messageOf(error) : undefined;
  const invalid = problem !== undefined && { "aria-invalid": true, "aria-describedby": problemId };
  const label = `Set: ${name}`;
  return (
    <>
      {choices ? (
        <select aria-label={label} value={value} {...invalid} onChange={({ currentTarget }) => set(currentTarget.value)}>
          <option value="">automatic</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          type="text"
          aria-label={label}
          placeholder={hint}
          value={draft?.text ?? value}
          {...(list && { list: listId })}
          {...invalid}
          onInput={({ currentTarget }) => setDraft({ ...draft, text: currentTarget.value })}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        />
      )}
      {list && (
        <datalist id={listId}>
          {list.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
      {problem !== undefined && (
        <small role="alert" class="invalid" id={problemId}>
          {problem}
        </small>
      )}
    </>
  );
}
