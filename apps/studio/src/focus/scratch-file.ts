/**
 * A file that is written in parts and then given to the user: in the browser's private file system (OPFS) if it is large and there is one, else
 * in memory. Works in workers only. The file of before is removed when the next one is begun.
 */
import type { ByteTarget } from "@dechirp/io";

/** A file that is being written. */
export interface ScratchFile extends ByteTarget {
  /** Ends writing. The result may be on the disk. */
  finish(): Promise<Blob>;
  /** Removes it. */
  discard(): Promise<void>;
}

/** What TypeScript's library for pages lacks: it is for workers only. */
interface SyncAccessHandle {
  write(from: ArrayBufferView, options: { readonly at: number }): number;
  close(): void;
}

/** Files of up to so many bytes are in memory. */
const mostMemoryBytes = 2 ** 26;
const folderName = "dechirp-files";
/** Files of pages that are gone are removed after a day, so that downloads of other pages are left alone. */
const oldMilliseconds = 86_400_000;

/** The file that this worker has made last. */
let last: string | undefined;

/** Begins a file of about `bytes` bytes. */
export async function scratchFile(bytes: number): Promise<ScratchFile> {
  if (bytes > mostMemoryBytes && "createSyncAccessHandle" in (globalThis.FileSystemFileHandle?.prototype ?? {})) {
    try {
      return await diskFile();
    } catch {
      // Private windows have no such files.
    }
  }
  return memoryFile();
}

async function diskFile(): Promise<ScratchFile> {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(folderName, { create: true });
  for await (const [name, entry] of folder as unknown as AsyncIterable<[string, FileSystemFileHandle]>) {
    const isOld = async (): Promise<boolean> => Date.now() - (await entry.getFile()).lastModified > oldMilliseconds;
    if (name === last || (await isOld().catch(() => false))) await folder.removeEntry(name).catch(() => {});
  }
  const name = crypto.randomUUID();
  const entry = await folder.getFileHandle(name, { create: true });
  const handle = await (entry as unknown as { createSyncAccessHandle(): Promise<SyncAccessHandle> }).createSyncAccessHandle();
  last = name;
  return {
    write: (at, bytes) => handle.write(bytes, { at }),
    async finish() {
      handle.close();
      return entry.getFile();
    },
    async discard() {
      handle.close();
      await folder.removeEntry(name).catch(() => {});
    },
  };
}

/** Bytes of a block of memory. */
const blockBytes = 2 ** 20;

function memoryFile(): ScratchFile {
  const blocks: Uint8Array<ArrayBuffer>[] = [];
  let end = 0;
  return {
    write(at, bytes) {
      for (let done = 0; done < bytes.length; ) {
        const [index, from] = [Math.floor((at + done) / blockBytes), (at + done) % blockBytes];
        while (blocks.length <= index) blocks.push(new Uint8Array(blockBytes));
        const part = bytes.subarray(done, done + blockBytes - from);
        blocks[index]!.set(part, from);
        done += part.length;
      }
      end = Math.max(end, at + bytes.length);
    },
    finish: async () => new Blob(blocks.map((block, i) => block.subarray(0, Math.min(blockBytes, end - i * blockBytes)))),
    discard: async () => {},
  };
}
