import pytest

from legacylens_assets.errors import SettingError
from legacylens_assets.settings import SETTINGS, find_root, load_settings


def test_defaults_hold_when_nothing_is_set(tmp_path):
    settings = load_settings(tmp_path, {})
    assert {s.name: settings[s.name] for s in SETTINGS} == {s.name: s.default for s in SETTINGS}


def test_the_environment_wins_over_the_file(tmp_path):
    (tmp_path / "legacylens.toml").write_text("rrf_k = 10\nprefetch_limit = 50\n")
    settings = load_settings(tmp_path, {"LEGACYLENS_RRF_K": "20"})
    assert (settings.rrf_k, settings.prefetch_limit) == (20, 50)


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        ({"LEGACYLENS_RRFK": "1"}, "did you mean rrf_k"),
        ({"LEGACYLENS_RRF_K": "many"}, "LEGACYLENS_RRF_K='many': expected a number of type int"),
        ({"LEGACYLENS_PROFILE": "huge"}, "expected one of embedded, hub, cloud"),
        ({"AUTO_INDEX": "perhaps"}, "AUTO_INDEX='perhaps': expected bool"),
        ({"GROQ_API_KEY_FILE": "/no/such/file"}, "GROQ_API_KEY_FILE=/no/such/file: cannot be read"),
    ],
)
def test_a_bad_value_is_refused_with_name_and_expectation(tmp_path, environ, message):
    with pytest.raises(SettingError, match=message.replace("(", r"\(")):
        load_settings(tmp_path, environ)


def test_an_unknown_key_of_the_file_is_refused(tmp_path):
    (tmp_path / "legacylens.toml").write_text("rrfk = 10\n")
    with pytest.raises(SettingError, match="unknown setting 'rrfk'"):
        load_settings(tmp_path, {})


def test_a_secret_can_be_given_as_a_file(tmp_path):
    (tmp_path / "key").write_text("s3cret\n")
    assert load_settings(tmp_path, {"GROQ_API_KEY_FILE": str(tmp_path / "key")}).groq_api_key == "s3cret"


def test_secrets_do_not_appear_in_the_representation(tmp_path):
    assert "s3cret" not in repr(load_settings(tmp_path, {"GROQ_API_KEY": "s3cret"}))


def test_the_root_is_the_first_folder_upwards_with_a_registry(tmp_path):
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "codebases.toml").write_text("")
    assert find_root(deep, {}) == tmp_path.resolve()
