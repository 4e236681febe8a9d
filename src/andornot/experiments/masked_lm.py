"""A small BERT, trained from random weights by masked language modelling only.

The paper's argument is about a BERT of one layer that is pre-trained by masked LM only. The models
in package registries are fine-tuned for sentences or pre-trained on two tasks. This model only
learns to predict masked tokens of Wikipedia. It has BERT's architecture (learned positions, output
embeddings tied to the input embeddings, a bias that starts at 0) and is trained by AdamW with
BERT's betas and weight decay. It has no dropout, because no text is seen twice. The loss is the
full softmax at the masked tokens.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.choices import Scale
from andornot.base.errors import AndornotError
from andornot.base.folders import is_folder_of, locked, new_folder, read_record
from andornot.base.progress import stage
from andornot.base.replacing import replacing
from andornot.base.tensors import write_tensors
from andornot.corpus import Corpus, open_corpus
from andornot.corpus.corpus import digest_of
from andornot.corpus.edits import cut_into_pieces
from andornot.corpus.reading import content_key
from andornot.experiments.lab import WIKIPEDIA, Lab
from andornot.experiments.masked_text import PAD, MaskedBatch, Windows, learn_pieces
from andornot.experiments.softmax_loss import softmax_loss
from andornot.formats.model_folder import TOKENIZER, WEIGHTS, ModelFolder
from andornot.training import checkpoints
from andornot.training.running import run
from andornot.training.trainer import Step
from andornot.words.pieces import Pieces

if TYPE_CHECKING:
    import torch

KIND = "andornot masked language model"
VERSION = 2
LAYERS = (1, 3)
STEPS = {Scale.QUICK: 300, Scale.HERE: 10_000, Scale.PAPER: 100_000}
_AT_A_TIME = 10  # steps between two reports
_CLIP = 1.0
_DECAY = 0.01


@dataclass(frozen=True)
class MaskedLmSettings:
    """The size of a model and its training, with a fixed number of steps for repeatable runs.

    Attributes:
        layers: Number of layers of the encoder.
        steps: Number of steps of AdamW.
        dim: Dimension of the vectors; the inner layers are four times as wide.
        heads: Number of attention heads.
        words: Size of the WordPiece vocabulary.
        length: Number of tokens of a row, including [CLS] and [SEP].
        batch: Number of rows of a step.
        rate: Learning rate after the warm-up; it then decreases linearly to 0.
        warmup: Fraction of the steps in which the rate increases.
        bfloat16: Multiply matrices in bfloat16; weights and everything else stay float32.
        seed: Seed of the weights, the order of rows and the masks.
    """

    layers: int
    steps: int
    dim: int = 256
    heads: int = 4
    words: int = 30_000
    length: int = 64
    batch: int = 64
    rate: float = 1e-3
    warmup: float = 0.05
    bfloat16: bool = True
    seed: int = 1

    def rate_at(self, step: int) -> float:
        """Return the learning rate of a step.

        >>> settings = MaskedLmSettings(layers=1, steps=100, rate=1.0, warmup=0.1)
        >>> [round(settings.rate_at(step), 2) for step in (0, 9, 10, 55, 99)]
        [0.1, 1.0, 1.0, 0.5, 0.01]
        """
        rising = math.ceil(self.warmup * self.steps)
        falling = (self.steps - step) / max(1, self.steps - rising)
        return self.rate * min((step + 1) / max(1, rising), falling)


class HeldOut(NamedTuple):
    """Scores on masked tokens of held-out text: mean of -log p, accuracy, number of tokens."""

    loss: float
    accuracy: float
    tokens: int


def masked_lm(lab: Lab, layers: int) -> ModelFolder:
    """Return a model of Wikipedia with this number of layers, from the cache or trained now.

    A stopped training is resumed. For example `masked_lm(Lab(Scale.HERE), 1)`.
    """
    settings = MaskedLmSettings(layers=layers, steps=STEPS[lab.scale], seed=lab.seed)
    text = lab.wiki_text()
    key = digest_of([VERSION, content_key([text]), asdict(settings)])
    path = lab.home / f"masked-lm-{layers}-{key}"
    if not is_folder_of(path, KIND):
        tokens = settings.steps * settings.batch * settings.length
        lab.say(
            f"training a BERT by masked LM, layers: {layers}, {settings.steps:,} steps, "
            f"{tokens:,} tokens: {path.name}"
        )
        pieces = kept_pieces(lab, settings)
        train_masked_lm(piece_corpus(lab, pieces), pieces, settings, path)
    return ModelFolder(path, _described(read_record(path), WIKIPEDIA[lab.scale].name))


def kept_pieces(lab: Lab, settings: MaskedLmSettings) -> Pieces:
    """Return the word pieces of Wikipedia, from the cache or learned now."""
    text = lab.wiki_text()
    key = digest_of([VERSION, content_key([text]), settings.words, settings.seed])
    path = lab.home / f"pieces-{key}.json"
    if not path.exists():
        with stage("learning word pieces"), replacing(path, shared=True) as file:
            file.write(learn_pieces([text], settings.words, seed=settings.seed).utf8.tobytes())
    return Pieces(path.read_bytes(), path)


def piece_corpus(lab: Lab, pieces: Pieces) -> Corpus:
    """Return Wikipedia as a corpus of word pieces."""
    return cut_into_pieces(open_corpus([lab.wiki_text()], tokenizer="whitespace"), pieces)


def train_masked_lm(corpus: Corpus, pieces: Pieces, settings: MaskedLmSettings, path: Path) -> None:
    """Train a model and write its folder; checkpoints are written next to it.

    Args:
        corpus: The text, cut into `pieces`.
        pieces: The tokenizer.
        settings: The size of the model and its training.
        path: The folder to write: config.json, model.safetensors, tokenizer.json and a record.

    Raises:
        FileError: If another process trains the same model.
    """
    with locked(path.with_name(f".{path.name}.lock"), path):
        _train(corpus, pieces, settings, path)


def _train(corpus: Corpus, pieces: Pieces, settings: MaskedLmSettings, path: Path) -> None:
    """Train a model and write its folder, with the lock held."""
    windows = Windows(corpus, pieces, settings.length, settings.seed)
    trainer = MaskedLmTrainer(windows, pieces, settings)
    checkpoint = path.with_name(f"{path.name}.checkpoint")
    identity = {"settings": asdict(settings), "text": corpus.key}
    run(
        trainer,
        checkpoint=checkpoint,
        identity=identity,
        resume=checkpoints.exists(checkpoint),
        label=f"training BERT, {settings.layers} layers",
    )
    held_out = trainer.held_out()
    with new_folder(path) as writer:
        trainer.model.config.save_pretrained(writer.path)
        write_tensors(trainer.weights, writer.path / WEIGHTS)
        (writer.path / TOKENIZER).write_bytes(pieces.utf8.tobytes())
        writer.finish(
            KIND,
            {
                "settings": asdict(settings),
                "tokens": settings.steps * settings.batch * settings.length,
                "epochs": settings.steps * settings.batch / windows.training,
                "held_out": held_out._asdict(),
            },
        )
    checkpoints.remove(checkpoint)


class MaskedLmTrainer:
    """Masked language modelling of a BERT, with checkpoints between steps."""

    units = "tokens"

    def __init__(self, windows: Windows, pieces: Pieces, settings: MaskedLmSettings) -> None:
        try:
            import torch
            from transformers import BertConfig, BertForMaskedLM
        except ImportError as error:
            raise AndornotError(
                f"training a BERT needs the package {error.name}; pip install 'andornot[bert]'"
            ) from error
        self.settings = settings
        self.state: dict[str, Any] = {"step": 0}
        self.worst = 3 * math.log(settings.words)
        self._windows = windows
        padding = next(number for number, token in pieces.tokens.items() if token == PAD)
        config = BertConfig(
            vocab_size=max(pieces.tokens) + 1,
            hidden_size=settings.dim,
            num_hidden_layers=settings.layers,
            num_attention_heads=settings.heads,
            intermediate_size=4 * settings.dim,
            max_position_embeddings=settings.length,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            pad_token_id=padding,
            architectures=["BertForMaskedLM"],
        )
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(settings.seed)
            self.model: Any = BertForMaskedLM(config)
        self._weights: dict[str, torch.Tensor] = dict(self.model.named_parameters())
        self._optimizer = torch.optim.AdamW(
            self._weights.values(), betas=(0.9, 0.999), weight_decay=_DECAY, fused=True
        )
        for weight in self._weights.values():  # initialised here so that a checkpoint can fill it
            self._optimizer.state[weight] = {
                "step": torch.zeros(()),
                "exp_avg": torch.zeros_like(weight),
                "exp_avg_sq": torch.zeros_like(weight),
            }

    @property
    def weights(self) -> dict[str, npt.NDArray[np.float32]]:
        """The weights by their names in transformers; tied weights appear once."""
        return {name: weight.detach().numpy() for name, weight in self._weights.items()}

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The weights and the state of AdamW, sharing memory with the model."""
        found: dict[str, npt.NDArray[Any]] = {**self.weights}
        for name, weight in self._weights.items():
            for key, tensor in self._optimizer.state[weight].items():
                found[f"{name}.{key}"] = tensor.numpy()
        return found

    @property
    def done(self) -> float:
        """The fraction of the steps that are done."""
        return float(self.state["step"] / self.settings.steps)

    @property
    def finished(self) -> bool:
        """True if all steps are done."""
        return bool(self.state["step"] >= self.settings.steps)

    def step(self) -> Step:
        """Do the next steps of AdamW."""
        import torch

        settings = self.settings
        losses = []
        for number in range(self.state["step"], settings.steps)[:_AT_A_TIME]:
            for group in self._optimizer.param_groups:
                group["lr"] = settings.rate_at(number)
            loss = self._loss(self._windows.batch(number, settings.batch))
            self._optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self._weights.values(), _CLIP)
            self._optimizer.step()
            losses.append(loss.item())
        self.state["step"] += len(losses)
        mean = float(np.mean(losses))
        return Step(
            done=self.done,
            epoch=self.state["step"] * settings.batch / self._windows.training,
            units=len(losses) * settings.batch * settings.length,
            loss=mean if math.isfinite(mean) else math.inf,
        )

    def held_out(self) -> HeldOut:
        """Predict the masked tokens of the held-out rows."""
        import torch

        total, right, tokens = 0.0, 0, 0
        with torch.inference_mode(), stage("held-out loss") as report:
            for batch in self._windows.held_out_batches(self.settings.batch):
                scores = self._scores(batch)
                targets = torch.from_numpy(batch.targets)
                losses = torch.nn.functional.cross_entropy(scores, targets, reduction="sum")
                total += losses.item()
                right += int((scores.argmax(dim=1) == targets).sum())
                tokens += len(targets)
                report(0.0, f"{tokens:,} tokens")
        return HeldOut(total / tokens, right / tokens, tokens)

    def _loss(self, batch: MaskedBatch) -> Any:
        import torch

        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.settings.bfloat16):
            head = self.model.cls.predictions
            hidden = head.transform(self._hidden(batch))
        dtype = torch.bfloat16 if self.settings.bfloat16 else torch.float32
        output = head.decoder
        return softmax_loss(
            hidden.to(dtype),
            output.weight.to(dtype),
            output.bias.to(dtype),
            torch.from_numpy(batch.targets),
        )

    def _scores(self, batch: MaskedBatch) -> torch.Tensor:
        """Return the scores of all tokens at each masked position."""
        scores: torch.Tensor = self.model.cls(self._hidden(batch))
        return scores

    def _hidden(self, batch: MaskedBatch) -> torch.Tensor:
        """Return the final layer at each masked position; the head runs only there."""
        import torch

        hidden = self.model.bert(input_ids=torch.from_numpy(batch.inputs)).last_hidden_state
        masked: torch.Tensor = hidden[torch.from_numpy(batch.masked)]
        return masked


def _described(record: dict[str, Any], text: str) -> str:
    """Describe a model and its training."""
    settings, held_out = record["settings"], record["held_out"]
    layers = settings["layers"]
    return (
        f"a BERT of {layers} layer{'s'[: layers > 1]} and {settings['dim']} dimensions that was "
        f"trained here by masked LM only, {settings['steps']:,} steps on "
        f"{record['tokens']:,} tokens of {text}, held-out loss "
        f"{held_out['loss']:.3f}"
    )
