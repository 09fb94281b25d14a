import { it } from "vitest"
import { writeFileSync } from "node:fs"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { openApiDocument } from "@outbound/host-http/openapi/Document.js"
import { describe as describeTool, toolVerbs } from "@outbound/host-mcp/tools/Tools.js"
it("x", () => {
  const document = openApiDocument(verbList, "https://outbound.test")
  writeFileSync("/tmp/openapi-new.json", JSON.stringify(document, null, 1))
  writeFileSync("/tmp/tools-new.json", JSON.stringify(toolVerbs(verbList).map(describeTool), null, 1))
})
