// A schedule that stopped must not look like a quiet project: tell how old the newest
// report is, by the reader's own clock. Without script its date stands there alone.
for (const note of document.querySelectorAll("[data-ended-at]")) {
  const days = Math.floor((Date.now() - Date.parse(note.dataset.endedAt)) / 86400000);
  if (days >= 2) {
    note.textContent = note.dataset.words.replace("{days}", String(days));
    note.hidden = false;
  }
}
