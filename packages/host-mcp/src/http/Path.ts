/** The path of the MCP endpoint (contract: surfaces, mcp). */
export const MCP_PATH = "/mcp"

/** The endpoint's path, also with the slash that people type and programs add. */
export const isMcpPath = (path: string): boolean => path === MCP_PATH || path === `${MCP_PATH}/`
