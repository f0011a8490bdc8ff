// What the page is told: a block of JSON, compressed where it is long, in which every name stands once.

/** The data in an element: JSON, or base64 of what gzip made of it. */
export async function readData(block) {
  if (block.type === "application/json") return JSON.parse(block.textContent);
  const text = atob(block.textContent);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = text.charCodeAt(k);
  return JSON.parse(await unpackText(bytes));
}

/** The text that gzip packed. In one piece: from a Blob, browsers fetch bytes bit by bit, which takes seconds. */
async function unpackText(bytes) {
  const packed = new ReadableStream({
    start(own) {
      own.enqueue(bytes);
      own.close();
    },
  });
  const reader = packed.pipeThrough(new DecompressionStream("gzip")).pipeThrough(new TextDecoderStream()).getReader();
  const parts = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
  return parts.join("");
}

/** The same with boards whose players and families have names in the place of numbers, once somebody looks. */
export function nameBoards({ names, ...data }) {
  return { ...data, boards: data.boards.map((board) => nameBoard(board, names)) };
}

function nameBoard(board, names) {
  let columns = null;
  return Object.create(board, { columns: { get: () => (columns ??= nameColumns(board.columns, names)) } });
}

function nameColumns(columns, names) {
  const nameOf = (place) => (place === null ? null : names[place]);
  return { ...columns, player: columns.player.map(nameOf), family: columns.family.map(nameOf) };
}
