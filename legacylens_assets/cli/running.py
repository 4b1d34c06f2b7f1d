"""up and serve: everything, or the query API alone."""

from __future__ import annotations

from legacylens_assets.cli.common import Context, Parsers


def add_commands(parsers: Parsers) -> None:
    """Add up, serve and mcp."""
    up = parsers.add("up", run_up, "start the query API and the Dagster UI; indexes the samples first if there is no index")
    up.add_argument("--headless", action="store_true", help="index the samples, answer one question, start nothing")
    serve = parsers.add("serve", run_serve, "start the query API alone")
    serve.add_argument("--host", default="", help="address to bind to (default: loopback)")
    serve.add_argument("--port", type=int, default=0, help="port (default 8000)")


def run_up(context: Context) -> int:
    """Start everything and wait until interrupted."""
    from legacylens_assets.supervisor import up

    return up(context.settings, headless=context.args.headless)


def run_serve(context: Context) -> int:
    """Serve the API until interrupted."""
    from query_api.server import serve

    settings = context.settings
    changes = {name: value for name, value in (("host", context.args.host), ("api_port", context.args.port)) if value}
    serve(settings.replace(**changes) if changes else settings)
    return 0
