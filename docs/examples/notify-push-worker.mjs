// Served as /push-worker.js: the browser runs it without a page.
self.addEventListener("push", (event) => {
  const { id, title, link } = event.data.json();
  // A second push with the same tag replaces the first, without a sound.
  event.waitUntil(self.registration.showNotification(title, { tag: id, data: { link } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data.link));
});
