// One evening in Firefox: sit down, bet, see the result, find it in the history, verify the shoe.
// node tests/firefox/play.mjs ADDRESS FIREFOX, with puppeteer-core, which drives it over WebDriver BiDi.

import assert from "node:assert/strict";
import { createRequire } from "node:module";

const puppeteer = createRequire(`${process.cwd()}/.venv/firefox/`)("puppeteer-core");
const [address, executablePath] = process.argv.slice(2);
const PATIENCE = { timeout: 60_000 };

const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true });
console.log(await browser.version());
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 720 });
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  const text = async (selector) => (await page.$eval(selector, (one) => one.textContent)).replace(/\s+/g, " ").trim();
  const step = (words) => console.log(`  ${words}`);

  await page.goto(address);
  await page.click("#guest");
  await page.waitForSelector(".spot:not([disabled])", PATIENCE);
  await page.goto(`${address}/tables/fast`);
  await page.waitForSelector("html[data-ready]", PATIENCE);
  const before = await text("#purse");
  step(`sat down with ${before}`);

  const accepted = '[data-bet="player"] .spot-chips:not(.waiting) .stake';
  for (let tries = 0; tries < 20 && !(await page.$(accepted)); tries++) {
    await page.waitForSelector('#felt[data-phase="open"]', PATIENCE);
    await page.click('.spot[data-bet="player"]');
    await page.waitForSelector(accepted, { timeout: 3000 }).catch(() => {}); // betting may just have closed
  }
  const round = await text("#round");
  step(`bet ${await text(accepted)} on Player in round ${round}`);

  await page.waitForSelector("#outcome .net", PATIENCE);
  const [headline, net] = [await text("#outcome .verdict"), await text("#outcome .net")];
  assert.match(headline, /^((PLAYER|BANKER) WINS|TIE) \d–\d$/i);
  assert.match(net, /^(You: [+−]£\d+\.\d\d|Even)$/);
  assert.equal(await page.$$eval(".slots .card", (all) => all.length >= 4), true);
  step(`${headline}, ${net}`);

  await page.goto(`${address}/history`);
  assert.equal(await page.$$eval("tbody tr", (all) => all.length), 1);
  const row = await text("tbody tr");
  assert.ok(row.includes("Player £25.00"), row);
  await page.click("tbody a");
  await page.waitForSelector('a[href^="/verify"]', PATIENCE);
  step(`in the history: ${row}`);

  await page.click('a[href^="/verify"]');
  await page.waitForSelector("#shoe:not([disabled])", PATIENCE);
  for (let tries = 0; tries < 40 && !(await page.$(".verdict.is-holds")); tries++) {
    await page.click("#check"); // until the shoe has been dealt to its end, a part of it is open
    await page.waitForSelector(".step", PATIENCE);
    assert.equal(await page.$(".step.is-fault"), null);
    await new Promise((done) => setTimeout(done, 2000));
  }
  assert.ok(await page.$(".verdict.is-holds"), await text("#verdict"));
  step(`verified: ${await text("#verdict")}`);

  assert.deepEqual(complaints, []);
} finally {
  await browser.close();
}
