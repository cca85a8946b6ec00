// Tracing paper: a picture under the table. It is read in this browser, kept here, and never sent.

/** @typedef {import("./table.js").Table} Table */

const LARGEST = 2400;      // pixels across that are kept

/** Lay a picture, or take it away. @param {Table} table @param {Blob | null} file */
export async function layPaper(table, file, fit = null) {
  if (!file) {
    table.picture.paper = null;
    table.keeper.set({ tracing: null });
  } else
    try {
      const bitmap = await createImageBitmap(file);
      table.picture.paper = { bitmap, strength: fit?.strength ?? 0.5, pins: fit?.pins ?? fitted(bitmap, table.projection) };
      if (!fit) table.keeper.set({ tracing: { picture: await smaller(bitmap), fit: fitOf(table) } });
    } catch {
      table.say("This picture can’t be read. PNG, JPEG and WebP can.");
    }
  table.picture.trace();
  table.render();
}

const fitOf = ({ picture: { paper } }) => ({ strength: paper.strength, pins: paper.pins.map(({ on, at }) => ({ on: [...on], at: [...at] })) });

/** Keep how the picture lies. @param {Table} table */
export function keepPaper(table) {
  const { tracing } = table.keeper.kept;
  if (tracing) table.keeper.set({ tracing: { ...tracing, fit: fitOf(table) } });
}

/** Two pins that lay the whole picture into the frame. */
function fitted(bitmap, { width, height }) {
  const scale = Math.min(width / bitmap.width, height / bitmap.height), left = (width - bitmap.width * scale) / 2, top = (height - bitmap.height * scale) / 2;
  return [0.12, 0.88].map((share) => ({
    on: /** @type {[number, number]} */ ([bitmap.width * share, bitmap.height * share]),
    at: /** @type {[number, number]} */ ([left + bitmap.width * share * scale, top + bitmap.height * share * scale]),
  }));
}

async function smaller(bitmap) {
  const scale = Math.min(1, LARGEST / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/webp", quality: 0.85 });
}

/** @param {Table} table @returns {import("./picture.js").Mark[]} */
export const paperMarks = (table) => (table.picture.paper?.pins || []).map(({ at }) => ({ cls: "pin", at }));
