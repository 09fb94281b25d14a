/** The path of the MCP endpoint (contract: surfaces, mcp). */
export const MCP_PATH = "/mcp"
