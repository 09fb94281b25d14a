/**
 * A bare tool on `@modelcontextprotocol/sdk` 1.x: it says back what it was given, and meters nothing. `example`: served
 * as the SDK's own stateless example serves its tools. `lean`: the least that the SDK needs, on `node:http`: low-level
 * handlers, nothing validated, one shared validator, plain JSON answers.
 */
import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js"
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from "node:http"
import * as z from "zod/v4"

const INFO = { name: "echo", version: "1" }

const saidBack = (email: unknown) => {
  const structuredContent = { result: { email } }
  return { content: [{ type: "text" as const, text: JSON.stringify(structuredContent) }], structuredContent }
}

const example = (): HttpServer => {
  const app = createMcpExpressApp()
  app.post("/mcp", async (request: IncomingMessage & { readonly body?: unknown }, response: ServerResponse) => {
    const server = new McpServer(INFO)
    const inputSchema = { email: z.string().min(3).max(320) }
    server.registerTool("verify_email", { description: "Says it back.", inputSchema }, ({ email }) => saidBack(email))
    const transport = new StreamableHTTPServerTransport({})
    await server.connect(transport as Transport)
    await transport.handleRequest(request, response, request.body)
    response.on("close", () => {
      void transport.close()
      void server.close()
    })
  })
  return createServer(app)
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString())
}

const lean = (): HttpServer => {
  const jsonSchemaValidator = new AjvJsonSchemaValidator()
  return createServer(async (request, response) => {
    const body = await bodyOf(request)
    const server = new Server(INFO, { capabilities: { tools: {} }, jsonSchemaValidator })
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => saidBack(params.arguments?.["email"]))
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport as Transport)
    response.on("close", () => void server.close())
    await transport.handleRequest(request, response, body)
  })
}

const http = process.argv[2] === "lean" ? lean() : example()
http.listen(0, "127.0.0.1", () => {
  const address = http.address()
  console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0 }))
})
process.on("SIGTERM", () => process.exit(0))
