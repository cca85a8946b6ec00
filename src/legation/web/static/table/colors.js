// Whether the powers' colors stay apart, for every eye and in gray; the same computing as the maps' own (atlas/style.py).
// Eyes: Machado, Oliveira, Fernandes 2009, full severity. Distance: OKLab (Ottosson 2020).

/** The house's palette, in order. */
export const PALETTE = [
  "#5b8dcd",
  "#a33c34",
  "#7de4af",
  "#cd9738",
  "#dea7fd",
  "#c46133",
  "#74b9b0",
  "#855b6e",
  "#a8d46d",
  "#a5906d",
  "#83838a",
  "#3575a3",
];

const EYES = {
  "normal eyes": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  "protan eyes": [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  "deutan eyes": [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  "tritan eyes": [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
const PLAIN = 0.05; // the least distance that the palette is chosen by
const GRAY = 4; // of 100: the least difference of lightness that a print in gray shows

const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** @param {string} color `#rrggbb` */
const light = (color) => [1, 3, 5].map((i) => linear(parseInt(color.slice(i, i + 2), 16) / 255));

function oklab(color) {
  const [r, g, b] = color.map((c) => Math.min(1, Math.max(0, c)));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

const seen = (eye, color) =>
  oklab(EYES[eye].map((row) => row.reduce((sum, part, i) => sum + part * light(color)[i], 0)));

/** @param {string} color CIE lightness, 0 to 100 */
function lightness(color) {
  const [r, g, b] = light(color);
  const y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
}

/** The eye that sees two colors least apart, and how far. @param {string} a @param {string} b @returns {[string, number]} */
export function least(a, b) {
  return Object.keys(EYES)
    .map(
      (eye) =>
        /** @type {[string, number]} */ ([eye, Math.hypot(...seen(eye, a).map((part, i) => part - seen(eye, b)[i]))]),
    )
    .reduce((x, y) => (y[1] < x[1] ? y : x));
}

/** What is too alike, in sentences. @param {{name: string, color: string}[]} powers */
export function alike(powers) {
  /** @type {{text: string, grave: boolean}[]} */
  const told = [];
  powers.forEach((a, i) =>
    powers.slice(i + 1).forEach((b) => {
      const [eye, far] = least(a.color, b.color);
      if (far < PLAIN) told.push({ text: `${a.name} and ${b.name} look alike to ${eye}.`, grave: true });
      else if (Math.abs(lightness(a.color) - lightness(b.color)) < GRAY)
        told.push({ text: `${a.name} and ${b.name} are the same gray in print.`, grave: false });
    }),
  );
  return told;
}

/** The first color of the palette that stays apart from those taken. @param {string[]} taken */
export const free = (taken) =>
  PALETTE.find((color) => taken.every((other) => least(color, other)[1] >= PLAIN)) ??
  PALETTE[taken.length % PALETTE.length];
