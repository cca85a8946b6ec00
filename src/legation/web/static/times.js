// Times in the reader's zone, and what is left until them. The zone is told to the server by a cookie, so that the next page comes right at once.

const opened = performance.now();
/** @type {string | undefined} */
let known; // asked for when it is needed, as the forms are made: each takes a slow phone a twentieth of a second
const zone = () => (known ??= Intl.DateTimeFormat().resolvedOptions().timeZone);
const language = document.documentElement.lang;
const form = (parts) => new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, { ...parts, timeZone: zone() });
/** @type {{day: Intl.DateTimeFormat, hour: Intl.DateTimeFormat} | undefined} */
let forms;

function words(moment) {
  const { day, hour } = (forms ||= {
    day: form({ weekday: "short", day: "numeric", month: "short" }),
    hour: form({ hour: "2-digit", minute: "2-digit", timeZoneName: "short" }),
  });
  const year = moment.getFullYear() !== new Date().getFullYear() ? ` ${moment.getFullYear()}` : "";
  const date = language === "en" ? day.format(moment).replace(",", "") : day.format(moment);
  return `${date}${year}, ${hour.format(moment).replace(/GMT(?=[+-])/, "UTC")}`;
}

const units = { text: "d, h, min" }.text.split(", ");

// "2 d 4 h": the two largest parts of a time.
function parts(minutes) {
  const all = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  const told = minutes >= 1440 ? all.slice(0, 2) : [0, ...all.slice(1)];
  return told.flatMap((n, i) => (n ? [`${n} ${units[i]}`] : [])).join(" ");
}

function left(seconds) {
  const minutes = Math.floor(seconds / 60);
  const time = parts(minutes);
  if (minutes < 0) return { text: "past" }.text;
  return minutes ? { text: `in ${time}` }.text : { text: "in less than a minute" }.text;
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
  const due = document.querySelector(".strip-due [data-left]");
  const minutes = Math.ceil((Number(due?.dataset.left ?? -60) - (performance.now() - opened) / 1000) / 60);
  const title = document.title.slice(document.title.startsWith(told) ? told.length : 0);
  told = minutes >= 0 ? `(${parts(Math.max(minutes, 1))}) ` : "";
  if (document.title !== told + title) document.title = told + title;
}
function begin() {
  const secure = location.protocol === "https:" ? "; secure" : "";
  if (zone()) document.cookie = `zone=${zone()}; path=/; max-age=34560000; samesite=lax${secure}`;
  tell();
  head();
}
// Once nothing else is to be done: the page's own script comes first.
"requestIdleCallback" in window ? requestIdleCallback(begin, { timeout: 3000 }) : setTimeout(begin);
setInterval(() => {
  count();
  head();
}, 5000);
