"""What is shipped: the wheel in an empty environment, and the files for containers."""

import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from typer.core import TyperGroup

from legation.cli.app import app
from legation.office.settings import Settings

ROOT = Path(__file__).parents[2]


def command(name: str) -> Any:
    """A command of the program, which must be there."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    found = group.get_command(typer.Context(group), name)
    assert found is not None
    return found


def test_the_compose_file_names_settings_and_commands_that_there_are() -> None:
    services = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))["services"]
    for name in ("office", "worker"):
        given = services[name]["environment"]
        assert {key.removeprefix("LEGATION_").lower() for key in given} <= set(Settings.model_fields)
        words, folder, *flags = services[name]["command"]
        known = {option for parameter in command(words).params for option in parameter.opts}
        assert {flag for flag in flags if flag.startswith("--")} <= known
        assert f"office:{folder}" in services[name]["volumes"]


def test_the_containerfile_copies_what_is_there_and_starts_a_command() -> None:
    text = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
    for line in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE):
        assert all((ROOT / name).exists() for name in line.split())
    assert 'CMD ["serve", "/var/lib/legation"' in text and "USER legation" in text


@pytest.mark.parametrize("unit", ["legation.service", "legation-backup.service"])
def test_the_units_start_commands_that_there_are(unit: str) -> None:
    text = (ROOT / "deploy" / unit).read_text(encoding="utf-8")
    [name] = re.findall(r"/opt/legation/bin/legation (\w+)", text)
    assert command(name) and "User=legation" in text


@pytest.mark.long
def test_a_wheel_in_an_empty_environment_plays_draws_and_serves(tmp_path: Path) -> None:
    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "build", "-q", "--wheel", "--out-dir", str(tmp_path), str(ROOT)], check=True)
    wheel = next(tmp_path.glob("*.whl"))
    home = tmp_path / "env"
    subprocess.run([*uv, "venv", "-q", "--python", sys.executable, str(home)], check=True)
    python, legation = home / "bin" / "python", home / "bin" / "legation"
    install = [*uv, "pip", "install", "-q", "--python", str(python), "-c", str(ROOT / "requirements.lock")]
    subprocess.run([*install, str(wheel)], check=True)
    game = "import legation; g = legation.Game('1897'); g.play({}); print(g.position.turn)"
    assert subprocess.run([python, "-c", game], check=True, capture_output=True, cwd=tmp_path).stdout
    subprocess.run([legation, "map", "hundred", "-o", "map.svg"], check=True, capture_output=True, cwd=tmp_path)
    assert (tmp_path / "map.svg").read_text(encoding="utf-8").startswith("<svg")
    refused = subprocess.run([legation, "serve", "office"], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert refused.returncode == 1 and "pip install 'legation[office]'" in refused.stderr
    subprocess.run([*install, f"{wheel}[client]"], check=True)
    client = (
        "import sys, legation.client; print(sorted({m.partition('.')[0] for m in sys.modules} & set(sys.argv[1:])))"
    )
    heavy = ["fastapi", "jinja2", "numba", "numpy", "PIL", "pydantic", "sqlalchemy", "typst", "uvicorn"]
    assert (
        subprocess.run([python, "-c", client, *heavy], check=True, capture_output=True, cwd=tmp_path).stdout == b"[]\n"
    )
    subprocess.run([*install, f"{wheel}[office]"], check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    served = subprocess.Popen(
        [legation, "serve", "office", "--port", str(port)], cwd=tmp_path, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(300):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
                    assert answer.status == 200
                break
            except OSError:
                assert served.poll() is None
                time.sleep(0.2)
        else:
            pytest.fail("the office did not answer")
    finally:
        served.terminate()
        assert served.wait(20) == 0
        shutil.rmtree(home)
