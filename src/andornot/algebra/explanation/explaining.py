"""Explain an answer: the formula with its numbers, and its validity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from andornot.algebra.concept import Concept
from andornot.algebra.explanation.builder import ExplanationBuilder
from andornot.algebra.explanation.records import Explanation, Figure
from andornot.algebra.explanation.validity import (
    AndCorrection,
    Measured,
    Validity,
    and_correction,
    measured,
    validity,
)
from andornot.algebra.ranking import Answer
from andornot.base.arguments import shown
from andornot.base.errors import UsageError
from andornot.base.formatting import known, number

if TYPE_CHECKING:
    from andornot.cooccurrence import Cooccurrence


def explain(what: Answer | Concept, counts: Cooccurrence | None = None) -> Explanation:
    """Explain an answer, or a concept.

    Args:
        what: The answer, whose warnings are included, or the concept.
        counts: Co-occurrence counts; the model's PMI is compared with the counted PMI.

    >>> import andornot
    >>> from andornot.algebra import Logic
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> print(explain(Logic(space).concept("king | queen")).text())
    king | queen
      OR     king | queen
             v = 0.5 v(king) + 0.5 v(queen)
             p = 0.0234 + 0.00876 = 0.0321
        word   king   weight 0.5   p = 0.0234
        word   queen   weight 0.5   p = 0.00876
    mode       first order, post-processing frequency
    residual   not applicable: the space has no context vectors
    validity   not applicable: the space has no context vectors
    """
    concept = what.concept if isinstance(what, Answer) else what
    if not isinstance(concept, Concept):
        raise UsageError(
            f"explain needs an answer or a concept, got {shown(what)}; to explain a query, use "
            "logic.explain(query)"
        )
    logic, node = concept.logic, concept.node
    builder = ExplanationBuilder(concept)
    arithmetic = "exact" if logic.exact else "first order"
    postprocess = logic.space.provenance.postprocess or str(logic.postprocess)
    found = validity(concept)
    correction = and_correction(concept)
    compared = None if counts is None else measured(concept, counts)
    notes = what.notes if isinstance(what, Answer) else (*concept.notes, *logic.notes)
    mode = Figure("mode", f"{arithmetic}, post-processing {postprocess}")
    return Explanation(
        formula=str(concept.formula),
        arithmetic=arithmetic,
        postprocess=postprocess,
        parts=tuple(builder.parts(node, 0, None)),
        categories=tuple(builder.groups()),
        probability=known(node.probability),
        is_bound=node.is_bound,
        residual=None if isinstance(found, str) else known(found.residual),
        cosine=None if isinstance(found, str) or found.cosine is None else known(found.cosine),
        rms=None if isinstance(found, str) else known(found.rms),
        inapplicable=found if isinstance(found, str) else None,
        correction=correction,
        measured=compared,
        readings=concept.readings,
        notes=notes,
        figures=(
            *(Figure("read", reading) for reading in concept.readings),
            mode,
            *_validity_figures(found),
            *_correction_figures(correction),
            *_measured_figures(compared),
            *(Figure("note", note) for note in notes),
        ),
    )


def _validity_figures(found: Validity | str) -> tuple[Figure, Figure]:
    if isinstance(found, str):
        missing = f"not applicable: {found}"
        return Figure("residual", missing), Figure("validity", missing)
    cosine = "" if found.cosine is None else f"cosine {found.cosine:.4f} and "
    return (
        Figure(
            "residual",
            f"{found.residual:.3f}, the rms by which the best vector misses the model's PMI",
        ),
        Figure(
            "validity",
            f"{cosine}rms {found.rms:.3f} in the model's PMI, first order to exact",
        ),
    )


def _correction_figures(found: AndCorrection | None) -> tuple[Figure, ...]:
    if found is None:
        return ()
    return (
        Figure(
            "p of AND",
            f"{number(found.factor)} times the product, if p(w|c) is a product in every context; "
            f"{found.share:.0%} of it comes from one context, {found.context}",
        ),
    )


def _measured_figures(found: Measured | str | None) -> tuple[Figure, ...]:
    if found is None:
        return ()
    if isinstance(found, str):
        return (Figure("measured", f"not applicable: {found}"),)
    return (
        Figure(
            "measured",
            f"{found.rms:.3f}, the rms between v.u of the centred vectors and the counted PMI "
            f"(contexts that were met, {found.share:.0%} by frequency)",
        ),
    )
