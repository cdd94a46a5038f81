"""What a gate says, as the XML that continuous integration shows: JUnit's."""

from collections.abc import Sequence
from xml.etree import ElementTree

from pydantic import BaseModel, ConfigDict


class CaseResult(BaseModel):
    """One line of the result."""

    model_config = ConfigDict(frozen=True)

    name: str
    """What was looked at."""
    passed: bool
    """Whether it is good enough."""
    message: str
    """One sentence with the numbers."""
    details: str = ""
    """What is behind it, in lines."""


def junit_xml(suite: str, cases: Sequence[CaseResult]) -> str:
    """Write results as JUnit XML.

    Args:
        suite: What all of them are about.
        cases: The results.

    Returns:
        The document. Characters that XML cannot hold are left out.
    """
    failures = str(sum(not case.passed for case in cases))
    counts = {"tests": str(len(cases)), "failures": failures}
    root = ElementTree.Element("testsuites", counts)
    parent = ElementTree.SubElement(root, "testsuite", {"name": _allowed(suite)} | counts)
    for case in cases:
        attributes = {"classname": _allowed(suite), "name": _allowed(case.name)}
        element = ElementTree.SubElement(parent, "testcase", attributes)
        text = _allowed("\n".join(filter(None, (case.message, case.details))))
        if case.passed:
            ElementTree.SubElement(element, "system-out").text = text
        else:
            ElementTree.SubElement(element, "failure", {"message": _allowed(case.message)}).text = text
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _allowed(text: str) -> str:
    return "".join(
        sign
        for sign in text
        if sign in "\t\n\r" or "\ud7ff" >= sign >= " " or "\ue000" <= sign <= "\ufffd" or sign >= "\U00010000"
    )
