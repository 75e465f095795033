"""The tests of kinto.apitest.yaml, written with pytest and requests."""
import re
import socket
import subprocess
import sys
import time
import uuid

import pytest
import requests

START = "from kinto.__main__ import main; main()"
ADA = ("ada", "sesame")
RECORDS = "/buckets/shop/collections/books/records"
BOOKS = [("novels", "Emma"), ("novels", "Solaris"), ("poems", "Odes")]


class Client(requests.Session):
    def __init__(self, base):
        super().__init__()
        self.base = base
        self.auth = ADA

    def request(self, method, url, **options):
        options.setdefault("timeout", 10)
        return super().request(method, url if url.startswith("http") else self.base + url, **options)


def account(client, name, password):
    response = requests.put(f"{client.base}/accounts/{name}", json={"data": {"password": password}}, timeout=10)
    assert response.status_code == 201


@pytest.fixture(scope="session")
def base():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-Wignore", "-c", START, "start", "--ini=kinto.ini", f"--port={port}"]
    with subprocess.Popen(command) as server:
        base = f"http://127.0.0.1:{port}/v1"
        try:
            for _ in range(600):
                try:
                    requests.get(f"{base}/", timeout=10)
                    break
                except requests.ConnectionError:
                    time.sleep(0.1)
            yield base
        finally:
            server.terminate()


@pytest.fixture(scope="session")
def client(base):
    client = Client(base)
    account(client, *ADA)
    assert client.put("/buckets/shop").status_code == 201
    assert client.put("/buckets/shop/collections/books").status_code == 201
    yield client
    assert client.delete("/buckets/shop").status_code == 200


@pytest.fixture(scope="session")
def stored(client):
    ids = []
    for shelf, title in BOOKS:
        response = client.put(f"{RECORDS}/{title.lower()}", json={"data": {"title": title, "shelf": shelf}})
        assert response.status_code == 201
        ids.append(response.json()["data"]["id"])
    return ids


def test_the_server_describes_itself(client):
    response = requests.get(f"{client.base}/", timeout=10)
    assert response.headers["Content-Type"].startswith("application/json")
    body = response.json()
    assert body["project_name"] == "kinto"
    assert body["settings"]["readonly"] is False
    assert "capabilities" in body


def test_a_wrong_password_is_refused(client):
    response = requests.get(f"{client.base}/buckets", auth=("ada", "wrong"), timeout=10)
    assert response.status_code == 401
    assert response.json()["errno"] == 104


def test_create_read_change_and_delete_a_record(client):
    response = client.post(RECORDS, json={"data": {"title": "Dune", "price": 9.5}})
    assert response.status_code == 201
    version = response.headers["ETag"]
    assert re.search(r'^"\d+"$', version)
    data = response.json()["data"]
    assert uuid.UUID(data["id"])
    assert data["title"] == "Dune" and data["price"] == 9.5
    url = f"{RECORDS}/{data['id']}"

    response = client.get(url)
    assert response.status_code == 200
    assert response.headers["ETag"] == version
    assert response.json()["data"]["title"] == "Dune"

    assert client.get(url, headers={"If-None-Match": version}).status_code == 304

    response = client.patch(url, json={"data": {"price": 8}})
    assert response.status_code == 200
    assert response.json()["data"]["price"] == 8
    assert response.json()["data"]["title"] == "Dune"

    response = client.put(url, headers={"If-Match": version}, json={"data": {}})
    assert response.status_code == 412
    assert "modified" in response.json()["message"]

    response = client.delete(url)
    assert response.status_code == 200
    assert response.json()["data"]["deleted"] is True
    assert client.get(url).status_code == 404


def test_find_novels_in_order(client, stored):
    query = {"shelf": "novels", "_sort": "-title", "in_id": ",".join(stored)}
    response = client.get(RECORDS, params=query)
    assert response.status_code == 200
    assert "no-cache" in response.headers["Cache-Control"]
    first, second = response.json()["data"]
    assert first["id"] == "solaris" and first["title"] == "Solaris"
    assert second["id"] == "emma"


def test_one_page_at_a_time(client, stored):
    response = client.get(RECORDS, params={"_limit": 2, "has_shelf": "true", "in_id": ",".join(stored)})
    assert response.status_code == 200
    assert len(response.json()["data"]) == 2
    response = client.get(response.headers["Next-Page"])
    assert response.status_code == 200
    assert "Next-Page" not in response.headers
    assert len(response.json()["data"]) == 1


def test_another_user_cannot_read_the_records(client, stored):
    account(client, "eve", "secret")
    response = requests.get(f"{client.base}{RECORDS}", auth=("eve", "secret"), timeout=10)
    assert response.status_code == 403
