/** A drop zone over the whole window, for files and for folders with their contents. */

/** Files by path, which includes the folders. */
export type DroppedFiles = Map<string, File>;

export function listenForDrops(
  target: HTMLElement,
  onDrop: (files: DroppedFiles) => void,
  onError: (error: unknown) => void,
): void {
  // Counts nested entries: entering a child also fires `dragleave` for its parent.
  let depth = 0;
  const mark = (over: boolean) => target.classList.toggle("dropping", over);

  window.addEventListener("dragenter", (event) => {
    if (!bringsFiles(event)) return;
    depth += 1;
    mark(true);
  });
  window.addEventListener("dragleave", (event) => {
    if (!bringsFiles(event)) return;
    depth -= 1;
    if (depth <= 0) mark(false);
  });
  window.addEventListener("dragover", (event) => {
    if (bringsFiles(event)) event.preventDefault();
  });
  window.addEventListener("drop", (event) => {
    depth = 0;
    mark(false);
    if (!event.dataTransfer || !bringsFiles(event)) return;
    event.preventDefault();
    collect(event.dataTransfer).then(onDrop, onError);
  });
}

function bringsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

async function collect(transfer: DataTransfer): Promise<DroppedFiles> {
  const files: DroppedFiles = new Map();
  // Read before the first `await`: the browser empties the transfer when this task ends.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  const loose = [...transfer.files];
  if (entries.some((entry) => entry?.isDirectory)) {
    await Promise.all(entries.map((entry) => entry && walk(entry, files)));
  } else {
    for (const file of loose) files.set(file.name, file);
  }
  return files;
}

async function walk(entry: FileSystemEntry, files: DroppedFiles): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    files.set(entry.fullPath.replace(/^\//, ""), file);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // `readEntries` returns about a hundred entries at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    await Promise.all(some.map((child) => walk(child, files)));
  }
}
