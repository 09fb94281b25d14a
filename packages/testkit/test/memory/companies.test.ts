import { companiesContract } from "../../src/contracts/companies.js"
import { layer } from "../../src/memory/layer.js"

companiesContract("memory", layer, 100)
