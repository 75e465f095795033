"""A library whose responses violate its own description in known ways.

usage: library.py PORT | library.py --openapi
"""
import json
import sys

from fastapi import Depends, FastAPI, Header, Response
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi.security import HTTPBearer
from pydantic import BaseModel, Field


class Author(BaseModel):
    name: str
    born: int | None = None


class Book(BaseModel):
    id: int
    title: str = Field(min_length=1)
    authors: list[Author] = []
    price: float = Field(gt=0)


class NewBook(BaseModel):
    title: str = Field(min_length=1)
    price: float = Field(gt=0)


app = FastAPI(title="Library", version="1")
bearer = HTTPBearer(auto_error=False)
dune = {"id": 1, "title": "Dune", "authors": [{"name": "Frank Herbert", "born": None}], "price": 9.5}


@app.get("/books")
def list_books(limit: int = 10, genre: list[str] | None = None) -> list[Book]:
    return [Book(**dune)][:limit]


@app.get("/books/wrong-type")
def wrong_type() -> Book:
    return JSONResponse({**dune, "price": "9.50", "authors": [{"born": "1920"}]})


@app.get("/books/missing-member")
def missing_member() -> Book:
    return JSONResponse({"id": 1, "price": 9.5})


@app.get("/books/out-of-bounds")
def out_of_bounds() -> Book:
    return JSONResponse({**dune, "title": "", "price": 0})


@app.get("/books/page")
def page() -> Book:
    return HTMLResponse("<h1>Dune</h1>")


@app.get("/books/created")
def created() -> Book:
    return JSONResponse(dune, status_code=202)


@app.get("/books/gone")
def gone() -> Book:
    return JSONResponse({"detail": "gone"}, status_code=410)


@app.get("/books/broken")
def broken() -> Book:
    return JSONResponse({"detail": "broken"}, status_code=500)


@app.get(
    "/books/counted",
    responses={200: {"headers": {"X-Total": {"required": True, "schema": {"type": "integer"}}}}},
)
def counted(response: Response, total: str | None = None) -> list[Book]:
    if total is not None:
        response.headers["X-Total"] = total
    return []


@app.get("/books/old", deprecated=True)
def old() -> Book:
    return Book(**dune)


@app.get("/books/hidden", include_in_schema=False)
def hidden():
    return dune


@app.get("/books/{book_id}")
def read_book(book_id: int, x_trace: str = Header(default="")) -> Book:
    return Book(**{**dune, "id": book_id})


@app.post("/books", status_code=201)
def add_book(book: NewBook, token=Depends(bearer)) -> Book:
    return Book(**{**dune, "title": book.title, "price": book.price})


if __name__ == "__main__":
    if sys.argv[1] == "--openapi":
        print(json.dumps(app.openapi()))
    else:
        import uvicorn

        uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
