"""``legation variant``."""

from pathlib import Path

from tests.cli.test_commands import run


def test_a_variant_is_begun_changed_packed_installed_and_compared(tmp_path: Path) -> None:
    begun = run("variant", "new", "mine", "--from", "1898", "-o", "here", cwd=tmp_path)
    assert begun.returncode == 0 and "created from 1898" in begun.stdout
    file = tmp_path / "here" / "mine.toml"
    text = file.read_text()
    assert 'title = "The 1898 Variant, changed"' in text and "name = " not in text.partition("[")[0]
    assert run("variant", "diff", "1898", str(file)).stdout == "1898 and mine are played alike.\n"
    file.write_text(text.replace("centers = 18", "centers = 20"))
    told = run("variant", "diff", "1898", str(file), "-o", "changed.svg", cwd=tmp_path)
    assert told.stdout.startswith("Rules:\n  solo: centers was 18 and is 20\n")
    assert (tmp_path / "changed.svg").exists()
    packed = run("variant", "pack", str(file), "--version", "1.1", "--license", "CC0-1.0", cwd=tmp_path)
    assert packed.stdout.startswith("mine.legation: The 1898 Variant, changed 1.1, 1 file, ")
    there = run("variant", "install", "mine.legation", "-o", "there", cwd=tmp_path)
    assert there.stdout.startswith("there: The 1898 Variant, changed 1.1, CC0-1.0: mine\n")
    assert "20" in run("--variants", "there", "rules", "mine", cwd=tmp_path).stdout
    again = run("variant", "install", "mine.legation", "-o", "there", cwd=tmp_path)
    assert again.returncode == 1 and "--replace" in again.stderr
    assert run("variant", "install", "here", "-o", "third", cwd=tmp_path).returncode == 0


def test_a_package_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "no.legation").write_bytes(b"no")
    assert "isn't a zip archive" in run("variant", "install", "no.legation", cwd=tmp_path).stderr
