/** Where the tools are served (completions.md §10). */
export const MCP_PATH = "/mcp"
