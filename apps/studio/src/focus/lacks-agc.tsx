/** What to do if a RADARSAT-1 scene was opened without its AGC file. */
import { useRef } from "preact/hooks";

interface LacksAgcProps {
  /** Adds the file. Absent if the recording is on a server. */
  readonly addAgc: ((file: File) => void) | undefined;
}

export function LacksAgc({ addAgc }: LacksAgcProps) {
  const input = useRef<HTMLInputElement>(null);
  if (!addAgc)
    return (
      <p class="needs" data-figure="agc advice">
        The gains of the receiver change the image. If you have the AGC file, start dechirp studio with the folder of the scene and this
        file.
      </p>
    );
  return (
    <p class="needs" data-figure="agc advice">
      The gains of the receiver change the image. Their file is usually one or two folders above the scene, where this page can’t look. Drop
      that folder here, or add the file:{" "}
      <button type="button" class="small" onClick={() => input.current!.click()}>
        Add the AGC file
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="AGC file"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = "";
          if (file) addAgc(file);
        }}
      />
    </p>
  );
}
