// Tracing paper: a picture under the table. It is read in this browser, kept here, and never sent.

/**
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("./picture.js").XY} XY
 * @typedef {{strength: number, pins: {on: XY, at: XY}[]}} Fit how strongly a picture shows, and which of its spots lie where
 */

import { brushOf } from "./preview.js";

const LARGEST = 2400; // pixels across that are kept

/** Lay a picture, or take it away. @param {Table} table @param {Blob | null} file @param {Fit} [fit] how it lay before */
export async function layPaper(table, file, fit) {
  if (!file) {
    table.picture.paper = null;
    table.keeper.set({ tracing: null });
  } else
    try {
      const picture = fit ? file : await smaller(file);
      const bitmap = await createImageBitmap(picture);
      table.picture.paper = {
        bitmap,
        strength: fit?.strength ?? 0.5,
        pins: fit?.pins ?? fitted(bitmap, table.projection),
      };
      if (!fit) table.keeper.set({ tracing: { picture, fit: fitOf(table.picture.paper) } });
    } catch {
      table.refuse("This picture can’t be read. PNG, JPEG and WebP can.");
    }
  table.picture.trace();
  table.render();
}

/** @param {Fit} paper @returns {Fit} */
const fitOf = ({ strength, pins }) => ({
  strength,
  pins: pins.map(({ on, at }) => ({ on: [on[0], on[1]], at: [at[0], at[1]] })),
});

/** Keep how the picture lies. @param {Table} table */
export function keepPaper(table) {
  const { tracing } = table.keeper.kept;
  const { paper } = table.picture;
  if (tracing && paper) table.keeper.set({ tracing: { ...tracing, fit: fitOf(paper) } });
}

/** Two pins that lay the whole picture into the frame. */
function fitted(bitmap, { width, height }) {
  const scale = Math.min(width / bitmap.width, height / bitmap.height);
  const left = (width - bitmap.width * scale) / 2;
  const top = (height - bitmap.height * scale) / 2;
  return [0.12, 0.88].map((share) => ({
    on: /** @type {[number, number]} */ ([bitmap.width * share, bitmap.height * share]),
    at: /** @type {[number, number]} */ ([left + bitmap.width * share * scale, top + bitmap.height * share * scale]),
  }));
}

/** A picture in the size in which it is kept. @param {Blob} file @returns {Promise<Blob>} */
export async function smaller(file) {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, LARGEST / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  brushOf(canvas).drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/webp", quality: 0.85 });
}

/** @param {Table} table @returns {import("./picture.js").Mark[]} */
export const paperMarks = (table) =>
  (table.picture.paper?.pins || []).flatMap(({ at }) => [
    { cls: "pin", at },
    { cls: "pin-point", at },
  ]);
