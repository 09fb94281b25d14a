#!/usr/bin/env node
const [major, minor] = process.versions.node.split(".").map(Number)
if (major > 22 || (major === 22 && minor >= 19)) await import("../dist/program/main.js")
else {
  process.stderr.write(
    `outbound needs Node 22.19 or newer, and this is Node ${process.versions.node} (https://nodejs.org).\n`
  )
  process.exitCode = 1
}
