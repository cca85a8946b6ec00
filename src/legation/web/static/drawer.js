// A drawer over the map: a sheet is looked over, sealed and acknowledged in it. What it shows are the pages that the
// same forms open without it.

import { received, sealing } from "./sealing.js";
import { signWords } from "./words.js";

const data = (page, id) => JSON.parse(page.getElementById(id)?.textContent || "null");

class NoAnswerError extends Error {}

async function post(address, body) {
  try {
    const answer = await fetch(address, { method: "POST", body });
    return { moved: answer.redirected && answer.url, text: await answer.text() };
  } catch {
    throw new NoAnswerError(
      "No answer came: you may be offline. Your orders are kept in this browser. Try again; nothing is sent twice.",
    );
  }
}

/**
 * @param {HTMLFormElement} form whose answer is shown in the drawer; what the drawer can't show becomes a page
 * @param {(text: string) => void} say
 */
export function openDrawer(form, say) {
  const drawer = document.createElement("dialog");
  drawer.className = "drawer";
  form.after(drawer);
  let done = false;
  drawer.addEventListener("close", () => done && location.reload());

  /** @param {HTMLFormElement} sent @param {HTMLElement | null} [submitter] */
  async function show(sent, submitter) {
    const address = submitter?.getAttribute("formaction") ?? sent.action;
    const fields = new URLSearchParams(/** @type {any} */ (new FormData(sent, submitter)));
    if (drawer.ariaBusy === "true") return; // it is on its way
    drawer.ariaBusy = "true";
    const { moved, text } = await post(address, fields).finally(() => Object.assign(drawer, { ariaBusy: "false" }));
    if (moved) return location.assign(moved);
    const page = new DOMParser().parseFromString(text, "text/html");
    const article = /** @type {HTMLElement | null} */ (page.querySelector("article[data-drawer]"));
    if (!article) throw new Error("It is a page of its own.");
    drawer.replaceChildren(document.adoptNode(article));
    done = article.hasAttribute("data-sent");
    const facts = data(page, "sheet");
    if (done) await received(article, data(page, "proof"));
    const owed = document.getElementById("owed");
    if (done && owed) Object.assign(owed, { textContent: "orders sent", className: "soft" });
    drawer.setAttribute("aria-label", article.querySelector("h1")?.textContent ?? "");
    const sheet = /** @type {HTMLFormElement | null} */ (article.querySelector("form[data-sheet]"));
    if (sheet)
      await sealing(sheet, facts, () =>
        show(sheet, null).catch((error) => {
          if (error instanceof NoAnswerError) throw error;
          sheet.submit();
        }),
      );
    await signWords(article, facts);
    drawer.style.setProperty("--beside", `${document.getElementById("panel")?.offsetWidth ?? 0}px`);
    if (!drawer.open) drawer.showModal();
    drawer.scrollTop = 0;
  }

  drawer.addEventListener("click", (event) => {
    const back = /** @type {Element} */ (event.target).closest("[data-back]");
    if (!back && event.target !== drawer) return;
    event.preventDefault();
    drawer.close();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { submitter } = event;
    show(form, submitter).catch((error) => {
      if (error instanceof NoAnswerError) return say(error.message);
      if (submitter?.hasAttribute("formaction")) form.action = submitter.getAttribute("formaction") ?? "";
      if (submitter?.hasAttribute("name")) {
        const said = Object.assign(document.createElement("input"), { type: "hidden" });
        Object.assign(said, { name: submitter.getAttribute("name"), value: submitter.getAttribute("value") });
        form.append(said);
      }
      form.submit();
    });
  });
}
