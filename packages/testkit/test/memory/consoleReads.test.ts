import { consoleReadsContract } from "../../src/contracts/consoleReads.js"
import { layer } from "../../src/memory/layer.js"

consoleReadsContract("memory", layer)
