/** Where the tools are served (contract: surfaces, mcp). */
export const MCP_PATH = "/mcp"
