// Passkeys. A form with data-passkey="create" or "get" asks the server what is to be signed, has the browser do it, and sends what came of it as its field "answer".

const knows = isSecureContext && "parseCreationOptionsFromJSON" in (window.PublicKeyCredential ?? {});
const REFUSALS = {
  NotAllowedError: "No passkey was chosen. Try again, or use an e-mail link.",
  InvalidStateError: "This device already has a passkey for you.",
  SecurityError: "Passkeys don’t work at this address; they need a domain name and https.",
  NotSupportedError: "This device can’t create passkeys.",
};

async function ask(form) {
  const answer = await fetch(form.dataset.ask, { method: "POST", headers: { accept: "application/json" } });
  const options = await answer.json();
  if (!answer.ok) throw new Error(options.error);
  return options;
}

async function made(form) {
  const options = await ask(form);
  return form.dataset.passkey === "create"
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const status = form.querySelector("[role=status]");
  form.hidden = false;
  if (!knows) {
    status.textContent = isSecureContext
      ? "This browser doesn’t support passkeys; an e-mail link always works."
      : REFUSALS.SecurityError;
    form.querySelector("button").disabled = true;
    continue;
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    status.textContent = "Confirm on your device…";
    try {
      form.elements.answer.value = JSON.stringify(/** @type {any} */ (await made(form)).toJSON());
      form.submit();
    } catch (error) {
      status.textContent = REFUSALS[error.name] || error.message;
      button.disabled = false;
      button.focus();
    }
  });
}
