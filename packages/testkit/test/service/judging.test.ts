import { judgingContract, judgingProviders } from "../../src/contracts/service/judging.js"
import * as MemoryLayer from "../../src/memory/layer.js"
import { over } from "../../src/service/Service.js"

judgingContract("memory", over(MemoryLayer.layer, judgingProviders))
