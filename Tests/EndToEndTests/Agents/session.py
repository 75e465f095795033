"""Drives `apitest mcp` with the client of the Model Context Protocol, and prints what it received as JSON.

usage: session.py PROGRAM DIRECTORY MODE
"""
import asyncio
import json
import sys

from mcp import Client, StdioServerParameters


async def main(program, directory, mode):
    server = StdioServerParameters(command=program, args=["mcp", "--allow-run"], cwd=directory)
    async with Client(server, mode=mode) as client:
        output = {"tools": [tool.name for tool in (await client.list_tools()).tools]}
        for name, arguments in [
            ("list", {}),
            ("lint", {}),
            ("run", {"paths": ["suite.apitest.yaml"]}),
            ("failures", {}),
            ("explain", {"id": "unknown-key"}),
            ("schema", {"format": "suite", "definition": "test"}),
            ("run", {"paths": ["broken.apitest.yaml"]}),
            ("run", {"paths": ["/etc"]}),
            ("list", {"nonsense": 1}),
        ]:
            result = await client.call_tool(name, arguments)
            text = "".join(part.text for part in result.content)
            output.setdefault("calls", []).append({"tool": name, "error": bool(result.is_error), "text": text})
        print(json.dumps(output))


asyncio.run(main(*sys.argv[1:]))
