/** The headers that pages of allowed origins may send to an MCP endpoint, and read from its replies. */
export const MCP_HEADERS = {
  methods: "GET, POST, DELETE",
  sent: "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id",
  read: "mcp-session-id, www-authenticate",
};
