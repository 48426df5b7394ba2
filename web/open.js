// Opens one secret on a click. The key stays behind the # until then; a mail gateway may have rewritten the # to %23.
const { id, key } = readLink(location.href);
const form = document.querySelector("form");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const passphrase = document.getElementById("passphrase").value;
  const response = await fetch(`/api/secrets/${id}/reveal`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(passphrase ? { key, passphrase } : { key }),
  });
  const answer = await response.json();
  if (response.ok) return show(answer.content);
  document.getElementById("ask").hidden = !["passphrase_required", "wrong_passphrase"].includes(answer.code);
  tell(answer.error);
});

function readLink(href) {
  const [, id = "", key = ""] = /\/s\/([0-9A-Za-z]+)(?:#|%23)([0-9A-Za-z]*)/i.exec(href) ?? [];
  return { id, key };
}

function show(text) {
  form.hidden = true;
  const content = document.getElementById("content");
  content.hidden = false;
  content.textContent = text;
  content.focus();
  tell("This was the only copy; it is now deleted from the server.");
}

function tell(sentence) {
  document.getElementById("told").textContent = sentence;
}
