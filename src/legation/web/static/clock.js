// A game that is played by the minute: what is left of the phase by the office's clock, and a bell for who wants one.

/** @type {HTMLElement | null} */
const clock = document.querySelector("[data-clock]");
const bell = document.getElementById("bell");
const AGAIN = 60_000; // milliseconds after which the office is asked for its time again
const SOON = 60; // seconds before the end at which the bell rings
const WANTED = "bell";
let ahead = 0; // of the office's clock, this device's, in milliseconds
/** @type {AudioContext | undefined} */
let sound;
let before = Number.POSITIVE_INFINITY; // seconds that were left at the last look

async function ask() {
  const sent = Date.now();
  const answer = await fetch("/clock").catch(() => null);
  if (!answer?.ok) return;
  const { now } = await answer.json();
  ahead = (sent + Date.now()) / 2 - now;
}

const wanted = () => localStorage.getItem(WANTED) === "on";

/** Ring so many times. */
function ring(times) {
  if (!wanted()) return;
  sound ??= new AudioContext();
  for (let n = 0; n < times; n++) {
    const at = sound.currentTime + 0.6 * n;
    const tone = sound.createOscillator();
    const loud = sound.createGain();
    tone.frequency.value = 880;
    loud.gain.setValueAtTime(0.25, at);
    loud.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
    tone.connect(loud).connect(sound.destination);
    tone.start(at);
    tone.stop(at + 0.5);
  }
}

function look() {
  if (!clock) return;
  const left = Math.ceil((Date.parse(clock.dataset.clock ?? "") - (Date.now() - ahead)) / 1000);
  const shown = Math.max(0, left);
  const minutes = Math.floor(shown / 60);
  const told = `${minutes}:${String(shown % 60).padStart(2, "0")}`;
  if (clock.textContent !== told) clock.textContent = told;
  clock.classList.toggle("soon", shown <= SOON);
  if (before > SOON && left <= SOON && left > 0 && before < Number.POSITIVE_INFINITY) ring(1);
  if (before > 0 && left <= 0 && before < Number.POSITIVE_INFINITY) ring(3);
  before = left;
}

function tell() {
  if (!bell) return;
  bell.setAttribute("aria-pressed", String(wanted()));
  bell.textContent = wanted() ? "Bell on" : "Bell off";
}

bell?.addEventListener("click", () => {
  localStorage.setItem(WANTED, wanted() ? "off" : "on");
  tell();
  ring(1);
});
if (clock) {
  tell();
  // A turn that this browser hasn't shown yet has just opened.
  const { turn = "" } = clock.dataset;
  const [game] = turn.split(" ");
  const last = sessionStorage.getItem(`turn ${game}`);
  if (last !== null && last !== turn) ring(2);
  sessionStorage.setItem(`turn ${game}`, turn);
  await ask();
  look();
  setInterval(look, 250);
  setInterval(ask, AGAIN);
  document.addEventListener("visibilitychange", () => (document.hidden ? undefined : ask()));
}
