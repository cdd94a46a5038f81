"""The registry of weights: names, sources and checksums; fetching and verifying."""

from checkwise.models.checksums import default_cache_dir, file_sha256
from checkwise.models.gguf import check_gguf
from checkwise.models.hub_folder import folder_fingerprint, model_folder
from checkwise.models.progress import Progress
from checkwise.models.registry import DEFAULT_MODEL, DataPackages, HubFile, ModelEntry, find_model, known_models
from checkwise.models.weights import CachedWeights, list_cached, remove, verify, weights_path

__all__ = [
    "DEFAULT_MODEL",
    "CachedWeights",
    "DataPackages",
    "HubFile",
    "ModelEntry",
    "Progress",
    "check_gguf",
    "default_cache_dir",
    "file_sha256",
    "find_model",
    "folder_fingerprint",
    "known_models",
    "list_cached",
    "model_folder",
    "remove",
    "verify",
    "weights_path",
]
