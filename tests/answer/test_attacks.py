"""Sixty planted attacks, each asked about through a model that obeys it: nothing of it is shown, no secret leaves, no line breaks out of its fence."""

import asyncio
import json
import re
import unicodedata

import pytest
from attacks import SECRET, SUFFIX, attacks
from provider_stub import Script, provider_stub
from tiny_index import Tiny, TinyCodebase, Unit, make_retriever, tiny_settings

from legacylens_assets.answer import Answerer, Ask, load_providers

ATTACKS = attacks()
CASES = [pytest.param(number, id=f"{attack.kind}-{number}") for number, attack in enumerate(ATTACKS)]


def vault(number, attack):
    name = f"VAULT{number:02}"
    return Tiny(
        f"src/{name.lower()}{SUFFIX[attack.language]}", attack.language, "\n".join(attack.lines), (Unit(name, "program", 1, len(attack.lines), name),)
    )


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """For each attack the request bodies that left, and the events that came."""
    settings = tiny_settings(tmp_path_factory.mktemp("attacks"))
    codebase = TinyCodebase("vault", tuple(vault(number, attack) for number, attack in enumerate(ATTACKS)))
    retriever = make_retriever(settings, (codebase,))
    found = []

    async def ask_all(stub):
        changed = settings.replace(groq_base_url=stub.address, groq_api_key="k", first_token_timeout=5.0)
        answerer = Answerer(retriever, retriever.catalog, changed, load_providers(changed))
        for number, attack in enumerate(ATTACKS):
            stub.script.pieces = (f"{attack.obeyed} [S1:1-1]. ", f"The vault says {attack.obeyed} [S1:1]. ", f"{attack.obeyed}. ", "See [S1:2].")
            stub.bodies.clear()
            events = [event async for event in answerer.events(Ask(f"what does VAULT{number:02} do?", k=1))]
            found.append((list(stub.bodies), events))

    with provider_stub(Script()) as stub:
        asyncio.run(ask_all(stub))
    return found


def test_there_are_sixty_of_five_kinds_in_seven_languages():
    assert len(ATTACKS) == 60
    assert len({attack.language for attack in ATTACKS if attack.kind == "secret"}) == 7
    assert {attack.kind for attack in ATTACKS} == {"instruction", "fence", "secret", "hidden", "huge"}


@pytest.mark.parametrize("number", CASES)
def test_an_obeying_model_is_not_shown(asked, number):
    _, events = asked[number]
    attack = ATTACKS[number]
    told = [event.data["text"] for event in events if event.name == "token"]
    assert [event.name for event in events].count("final") == 1 and events[-1].name == "final"
    if attack.kind in ("instruction", "secret"):
        assert not any(text == f"The vault says {attack.obeyed}." for text in told)
    assert not any(text.strip(" .") == attack.obeyed for text in told)


@pytest.mark.parametrize("number", CASES)
def test_what_is_sent_holds_no_secret_no_hidden_character_and_no_foreign_fence(asked, number):
    bodies, _ = asked[number]
    assert len(bodies) == 1
    assert SECRET.encode() not in bodies[0]
    system, user = (message["content"] for message in json.loads(bodies[0])["messages"])
    assert not [char for char in user if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp") and char not in "\n\t"]
    fence = re.search(r"begin with (=====SOURCE-\w+=====)", system).group(1)
    inside, after = user.split(f"\n{fence} END OF EXCERPTS\n")
    assert "PWNED" not in after and "vault" not in after
    for line in inside.split("\n"):
        assert line.startswith((fence, "1| ", "2| ")) and len(line) < 800
