#!/usr/bin/env node
import "@outbound/host-http/main.js"
