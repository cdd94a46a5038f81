"""Models that are a folder of files, as the hub keeps them: where one lies, and what tells its weights apart."""

from hashlib import sha256
from pathlib import Path

from checkwise.errors import UnknownModelError
from checkwise.models.checksums import file_sha256
from checkwise.models.progress import Progress, silent

_DECIDING = {".safetensors", ".bin", ".json", ".jinja", ".model", ".txt"}
"""What the files that decide an answer end with: weights, configuration, tokenizer and chat template."""


def model_folder(model: str) -> Path:
    """Find the folder of a model: the one that is named, or a copy from the hub, fetched once.

    Args:
        model: A folder, or a name on the hub.

    Returns:
        The folder.

    Raises:
        UnknownModelError: There is neither.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        return folder
    from huggingface_hub import snapshot_download  # noqa: PLC0415 - takes long to import
    from huggingface_hub.errors import HFValidationError  # noqa: PLC0415

    try:
        return Path(snapshot_download(model))
    except (HFValidationError, OSError) as error:
        raise UnknownModelError(
            f"{model!r} is no folder, and the hub does not have it or cannot be reached",
            todo="Name a folder with weights and tokenizer, or a model of the hub: vllm:NAME.",
        ) from error


def folder_fingerprint(folder: Path, *, progress: Progress = silent) -> str:
    """Tell the weights in a folder from others.

    Args:
        folder: A model's folder.
        progress: Told how far hashing has come.

    Returns:
        The commit that the hub gave a copy of its own; for any other folder a digest of the files that
        decide an answer.
    """
    if folder.parent.name == "snapshots":
        return folder.name
    digest = sha256()
    for path in sorted(path for path in folder.iterdir() if path.suffix in _DECIDING):
        digest.update(f"{path.name} {file_sha256(path, progress=progress)}\n".encode())
    return digest.hexdigest()
