"""The cross-encoder's real loader, on models that the test builds and trains in seconds. Needs torch: `make test-hub`."""

import pytest

pytestmark = pytest.mark.hub
torch = pytest.importorskip("torch", reason="torch is not installed: `make test-hub` runs these in an environment of their own")
pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed: see `make test-hub`")

from legacylens_assets.encoders.hub import HubReranker  # noqa: E402
from legacylens_assets.errors import EncoderError  # noqa: E402

WORDS = ["account", "balance", "interest", "posting", "matrix", "solver", "printer", "queue", "customer", "address"]


def tiny_bert(folder, classifier):
    """Save an untrained BERT of a few thousand weights, with or without a classifier on top; return its folder."""
    from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizer

    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]))
    tokenizer = BertTokenizer(str(folder / "vocab.txt"))
    tokenizer.model_max_length = 64
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        num_labels=1,
    )
    model = BertForSequenceClassification(config) if classifier else BertModel(config)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def train(folder):
    """Teach the model that a text answers a question that shares its word."""
    from transformers import BertForSequenceClassification, BertTokenizer

    tokenizer = BertTokenizer.from_pretrained(folder)
    model = BertForSequenceClassification.from_pretrained(folder)
    optimiser = torch.optim.Adam(model.parameters(), lr=3e-3)
    pairs = [(a, b) for a in WORDS for b in WORDS]
    wanted = torch.tensor([[1.0 if a == b else 0.0] for a, b in pairs])
    weight = torch.where(wanted > 0, 9.0, 1.0)
    batch = tokenizer([a for a, _ in pairs], [b for _, b in pairs], return_tensors="pt")
    for _ in range(150):
        optimiser.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(model(**batch).logits, wanted, weight=weight)
        loss.backward()
        optimiser.step()
    model.save_pretrained(folder)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tiny_bert(tmp_path_factory.mktemp("models") / "cross", classifier=True)
    train(folder)
    return folder


@pytest.mark.filterwarnings("ignore")
def test_a_trained_cross_encoder_puts_the_fitting_text_first(trained):
    scores = HubReranker(str(trained)).scores("interest", ["matrix", "interest", "printer"])
    assert scores.index(max(scores)) == 1


@pytest.mark.filterwarnings("ignore")
def test_a_long_text_scores_as_its_best_window(trained):
    reranker = HubReranker(str(trained))
    buried = "\n".join(["matrix"] * 400 + ["interest"])
    (score,) = reranker.scores("interest", [buried])
    (without,) = reranker.scores("interest", ["\n".join(["matrix"] * 401)])
    assert score >= without


@pytest.mark.filterwarnings("ignore")
def test_a_plain_bert_is_refused_instead_of_ranking_at_random(tmp_path):
    with pytest.raises(EncoderError, match="it is no cross-encoder"):
        HubReranker(str(tiny_bert(tmp_path / "plain", classifier=False)))
