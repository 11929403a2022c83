/** Saves data as a file of the user. */
export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Browsers read the data after the click; a minute is ample for them to begin.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
