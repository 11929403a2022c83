/** A program for Node: how to run it, its text, and buttons that save and copy it. */
import { packagesOf } from "../programs.ts";
import { CopyButton } from "./copy-button.tsx";
import { saveBlob } from "./save.ts";
import { Scrolls } from "./scrolls.tsx";

interface ProgramProps {
  readonly summary: string;
  readonly text: string;
  /** The name under which it is saved. */
  readonly file: string;
}

export function Program({ summary, text, file }: ProgramProps) {
  return (
    <details class="program">
      <summary>{summary}</summary>
      <p>
        Save it as <code data-figure="program file">{file}</code> in a new folder, and run these commands there, with Node 20.19 or later:
      </p>
      <Scrolls label="Commands">
        <pre>
          <code data-figure="program commands">{`npm install ${packagesOf(text).join(" ")}\nnode ${file}`}</code>
        </pre>
      </Scrolls>
      <Scrolls label="Program">
        <pre>
          <code data-figure="program">{text}</code>
        </pre>
      </Scrolls>
      <p>
        <button type="button" class="small" onClick={() => saveBlob(file, new Blob([text], { type: "text/javascript" }))}>
          Save program
        </button>{" "}
        <CopyButton text={text} otherwise="save the program, or select its text" />
      </p>
    </details>
  );
}
