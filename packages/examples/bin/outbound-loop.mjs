#!/usr/bin/env node
import "../dist/src/loop/main.js"
