// Times in the reader's zone, and what is left until them. The zone is told to the server by a cookie, so that the next page comes right at once.

const opened = performance.now();
/** @type {string | undefined} */
let known; // asked for when it is needed, as the forms are made: each takes a slow phone a twentieth of a second
const zone = () => (known ??= Intl.DateTimeFormat().resolvedOptions().timeZone);
const form = (parts) => new Intl.DateTimeFormat("en-GB", { ...parts, timeZone: zone() });
/** @type {{day: Intl.DateTimeFormat, hour: Intl.DateTimeFormat} | undefined} */
let forms;

function words(moment) {
  const { day, hour } = (forms ||= {
    day: form({ weekday: "short", day: "numeric", month: "short" }),
    hour: form({ hour: "2-digit", minute: "2-digit", timeZoneName: "short" }),
  });
  const year = moment.getFullYear() !== new Date().getFullYear() ? ` ${moment.getFullYear()}` : "";
  return `${day.format(moment).replace(",", "")}${year}, ${hour.format(moment).replace(/GMT(?=[+-])/, "UTC")}`;
}

function left(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 0) return "past";
  const both = (large, unit, small, of) => `in ${large} ${unit}` + (small ? ` ${small} ${of}` : "");
  if (minutes >= 1440) return both(Math.floor(minutes / 1440), "d", Math.floor((minutes % 1440) / 60), "h");
  if (minutes >= 60) return both(Math.floor(minutes / 60), "h", minutes % 60, "min");
  return minutes ? `in ${minutes} min` : "in less than a minute";
}

export function tell(within = document) {
  for (const time of within.querySelectorAll("time[data-at]"))
    if (time.dataset.at !== zone()) time.textContent = words(new Date(time.dateTime));
}

function count() {
  const gone = (performance.now() - opened) / 1000;
  for (const span of document.querySelectorAll("[data-left]")) {
    const text = left(Number(span.dataset.left) - gone);
    if (span.textContent !== text) span.textContent = text;
  }
}
// What is left until a game's deadline stands first in the title of its tab: "(3 h 5 min) Naseby".
let told = "";
function head() {
  const left = document.querySelector(".strip-due [data-left]")?.textContent.replace(/^in /, "");
  const title = document.title.slice(document.title.startsWith(told) ? told.length : 0);
  told = left && left !== "past" ? `(${left}) ` : "";
  if (document.title !== told + title) document.title = told + title;
}
function begin() {
  const secure = location.protocol === "https:" ? "; secure" : "";
  if (zone()) document.cookie = `zone=${zone()}; path=/; max-age=34560000; samesite=lax${secure}`;
  tell();
  head();
}
// Once nothing else is to be done: the page's own script comes first.
"requestIdleCallback" in window ? requestIdleCallback(begin, { timeout: 1000 }) : setTimeout(begin);
setInterval(() => {
  count();
  head();
}, 5000);
