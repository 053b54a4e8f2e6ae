// Two devices and the wire between them: network namespaces of our own, which nothing else reaches.

import { execFileSync } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";

const SERVER = { name: `anqi-${process.pid}-server`, link: `aq${process.pid}s`.slice(0, 15), address: "10.77.0.1" };
const PHONE = { name: `anqi-${process.pid}-phone`, link: `aq${process.pid}p`.slice(0, 15), address: "10.77.0.2" };

const ip = (...words) => execFileSync("ip", words, { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" });

/** Why this machine has no namespaces for us, or null if it has. */
export function whyNot() {
  if (process.platform !== "linux") return "network namespaces are a feature of Linux";
  const probe = `anqi-${process.pid}-probe`;
  try {
    ip("netns", "add", probe);
    ip("netns", "del", probe);
    return null;
  } catch (error) {
    return `no network namespace can be made here: ${String(error.stderr || error.message).trim()}`;
  }
}

/** Makes both devices; `remove` takes them away. */
export function twoDevices() {
  const devices = [SERVER, PHONE];
  const remove = () => {
    for (const { name } of devices) {
      try {
        ip("netns", "del", name);
      } catch {
        // It was never made.
      }
    }
  };
  try {
    for (const { name } of devices) ip("netns", "add", name);
    ip("link", "add", SERVER.link, "netns", SERVER.name, "type", "veth", "peer", "name", PHONE.link, "netns", PHONE.name);
    for (const { name, link, address } of devices) {
      ip("-n", name, "address", "add", `${address}/24`, "dev", link);
      for (const each of ["lo", link]) ip("-n", name, "link", "set", each, "up");
    }
  } catch (error) {
    remove();
    throw error;
  }
  return { server: SERVER, phone: PHONE, remove };
}

/** The words before a command that runs on a device. */
export const on = ({ name }) => ["ip", "netns", "exec", name];

/** Writes a program that starts the browser on a device, and returns its path. */
export async function browserOn(device, folder, chromium) {
  const path = join(folder, `chromium-${device.name}`);
  await writeFile(path, `#!/bin/sh\nexec ${on(device).join(" ")} "${chromium}" "$@"\n`);
  await chmod(path, 0o755);
  return path;
}
