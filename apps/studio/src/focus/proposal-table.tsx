/** The proposal as a table: parameter, value, why, and a control that sets it. What is set is in the address. */
import { messageOf } from "@dechirp/core";
import { useId, useState } from "preact/hooks";
import type { Setting } from "../settings.ts";
import { Scrolls } from "../ui/scrolls.tsx";
import type { Proposal, ProposedParameter } from "./messages.ts";
import { settings, type Values } from "./settings.ts";

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

interface ProposalTableProps {
  readonly proposal: Proposal;
  readonly values: Values;
  readonly change: (values: Partial<Values>) => void;
}

export function ProposalTable({ proposal: { parameters, warnings }, values, change }: ProposalTableProps) {
  return (
    <>
      <Scrolls label="Parameters">
        <table class="proposal">
          <thead>
            <tr>
              <th scope="col">Parameter</th>
              <th scope="col">Value</th>
              <th scope="col">Why</th>
              <th scope="col">Set</th>
            </tr>
          </thead>
          <tbody>
            {parameters.map((parameter) => (
              <Parameter key={parameter.id} parameter={parameter} values={values} change={change} />
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

function Parameter({
  parameter: { id, name, value, why },
  values,
  change,
}: Omit<ProposalTableProps, "proposal"> & { readonly parameter: ProposedParameter }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-figure={id}>{value}</td>
      <td class="why">{why}</td>
      <td>{Object.hasOwn(controls, id) && <SetParameter id={id as keyof Values} name={name} values={values} change={change} />}</td>
    </tr>
  );
}

function SetParameter({
  id,
  name,
  values,
  change,
}: Omit<ProposalTableProps, "proposal"> & { readonly id: keyof Values; readonly name: string }) {
  const listId = useId();
  const [problem, setProblem] = useState<string>();
  const { hint, list, choices } = controls[id]!;
  const setting = settings[id] as Setting<unknown>;
  const value = setting.format(values[id]);
  const set = (text: string): void => {
    try {
      change({ [id]: setting.parse(text.trim(), name) });
      setProblem(undefined);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const label = `Set: ${name}`;
  if (choices) {
    return (
      <select aria-label={label} value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
        <option value="">automatic</option>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  }
  return (
    <>
      <input
        type="text"
        aria-label={label}
        placeholder={hint}
        value={value}
        {...(list && { list: listId })}
        {...(problem !== undefined && { "aria-invalid": true })}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
      {list && (
        <datalist id={listId}>
          {list.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
      {problem !== undefined && (
        <small role="alert" class="invalid">
          {problem}
        </small>
      )}
    </>
  );
}
