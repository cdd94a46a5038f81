"""JUnit XML that continuous integration reads."""

from xml.etree import ElementTree

from checkwise.report.junit import CaseResult, junit_xml


def test_failures_are_counted_and_tell_why():
    cases = [
        CaseResult(name="good", passed=True, message="0.9 before, 0.9 now"),
        CaseResult(name="<bad> & 'worse'", passed=False, message="0.9 before, 0.2 now", details="lost q1: Is it so?"),
    ]
    root = ElementTree.fromstring(junit_xml("gate", cases))
    (suite,) = root
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.get("name") for case in suite] == ["good", "<bad> & 'worse'"]
    failure = suite[1].find("failure")
    assert failure.get("message") == "0.9 before, 0.2 now"
    assert "lost q1: Is it so?" in failure.text


def test_characters_that_xml_cannot_hold_are_left_out():
    text = junit_xml("gate", [CaseResult(name="a\x00b\ud800c😀", passed=True, message="\x1b[31mred")])
    ((case,),) = ElementTree.fromstring(text)
    assert case.get("name") == "abc😀"
    assert case.find("system-out").text == "[31mred"
