import { createServer } from "node:http";
import sirv from "sirv";
import { launchBrowser } from "../../packages/fft-gpu/scripts/browser.mjs";
const [hash, out, wait, width = "1280", scheme = "light", ...clicks] = process.argv.slice(2);
const files = sirv("/tmp/wTbuild", { dev: true });
const server = createServer((q, r) => { r.setHeader("Cross-Origin-Opener-Policy", "same-origin"); r.setHeader("Cross-Origin-Embedder-Policy", "require-corp"); files(q, r, () => r.writeHead(404).end()); });
await new Promise((r) => server.listen(0, "127.0.0.1", r));
const browser = await launchBrowser();
const context = await browser.newContext({ viewport: { width: Number(width), height: 900 }, colorScheme: scheme });
const page = await context.newPage();
page.on("pageerror", (e) => console.log("PAGEERROR", e.stack));
page.on("console", (m) => console.log("console", m.type(), m.text()));
await page.goto(`http://127.0.0.1:${server.address().port}/${hash}`);
const start = Date.now();
try { await page.locator(wait).first().waitFor({ timeout: 90000 }); } catch (e) { console.log(String(e).slice(0, 200)); }
for (const c of clicks) { await page.locator(c).first().click(); await page.waitForTimeout(1500); }
await page.waitForTimeout(700);
console.log("after", Date.now() - start, "ms; scrollWidth", await page.evaluate(() => document.documentElement.scrollWidth));
await page.screenshot({ path: out, fullPage: true });
console.log((await page.locator("main").innerText()).slice(0, 3500));
await browser.close(); server.close(); process.exit(0);
