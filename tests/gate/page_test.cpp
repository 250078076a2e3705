#include "firmware-host/gate/page/page.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>

using namespace smsrack;
using namespace smsrack::gate;

namespace {

const PageFiles files{.index = "<a @base@app-1.css @base@app-1.js>",
                      .assets = {{"app-1.js", "text/javascript", "packed"}}};

wire::HttpRequest get(std::string path, std::string method = "GET") {
    return {.method = std::move(method), .path = std::move(path)};
}

std::string header(const wire::HttpResponse& response, std::string_view name) {
    const auto found = std::ranges::find(response.headers, name, &wire::HeaderField::name);
    return found == response.headers.end() ? "" : found->value;
}

}  // namespace

TEST_CASE("page: is at the path of each screen, and names its assets from there") {
    struct Case {
        const char* path;
        const char* body;
    };
    for (const Case& it :
         {Case{"/", "<a ./app-1.css ./app-1.js>"}, Case{"/modems", "<a ./app-1.css ./app-1.js>"},
          Case{"/modems/", "<a ../app-1.css ../app-1.js>"},
          Case{"/modems/m0", "<a ../app-1.css ../app-1.js>"},
          Case{"/inbox/+33600000001", "<a ../app-1.css ../app-1.js>"},
          Case{"/messages/4711/more", "<a ../../app-1.css ../../app-1.js>"}}) {
        CAPTURE(it.path);
        const auto page = page_answer(get(it.path), files);
        REQUIRE(page);
        CHECK(page->status == 200);
        CHECK(page->content_type == "text/html; charset=utf-8");
        CHECK(page->body == it.body);
        CHECK(header(*page, "Cache-Control").empty());  // Answer adds no-store
        CHECK(header(*page, "Content-Security-Policy") ==
              "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
              "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
              "require-trusted-types-for 'script'");
        CHECK(page_bytes(get(it.path), files) == 0);
    }
}

TEST_CASE("page: an asset is packed, and may be kept for ever") {
    const auto asset = page_answer(get("/app-1.js"), files);
    REQUIRE(asset);
    CHECK(asset->body == "packed");
    CHECK(asset->content_type == "text/javascript");
    CHECK(header(*asset, "Content-Encoding") == "gzip");
    CHECK(header(*asset, "Cache-Control") == "public, max-age=31536000, immutable");
    CHECK(header(*asset, "Content-Security-Policy").starts_with("default-src 'none'"));
    CHECK(page_bytes(get("/app-1.js"), files) == 6);
}

TEST_CASE("page: leaves all other requests to the service") {
    for (const char* path :
         {"/v1/modems", "/metrics", "/healthz", "/modemsx", "/app-2.js", "/index.html", "//",
          "/modems//m0", "/box/a/b/c", "*", "", "app-1.js"}) {
        CAPTURE(path);
        CHECK_FALSE(page_answer(get(path), files));
        CHECK(page_bytes(get(path), files) == 0);
    }
    CHECK_FALSE(page_answer(get("/", "POST"), files));
    CHECK_FALSE(page_answer(get("/app-1.js", "DELETE"), files));
    CHECK(page_answer(get("/", "HEAD"), files));
}

TEST_CASE("page: a gate that was built without it has none") {
    for (const char* path : {"/", "/modems/m0"}) {
        CAPTURE(path);
        const auto answer = page_answer(get(path), PageFiles{});
        REQUIRE(answer);
        CHECK(answer->status == 404);
        CHECK(answer->content_type == "application/problem+json");
    }
    CHECK_FALSE(page_answer(get("/v1/modems"), PageFiles{}));
}

TEST_CASE("page: what is built in is small, and names each of its assets") {
    const PageFiles& built = page_files();
    if (built.index.empty()) {
        CHECK(built.assets.empty());  // SMSRACK_WEB=OFF
        return;
    }
    std::size_t bytes = built.index.size();
    std::size_t first = bytes;  // of the first screen: the rest is read later
    for (const PageAsset& asset : built.assets) {
        CHECK(built.index.contains("@base@" + std::string(asset.name)));
        CHECK(asset.gzip.starts_with("\x1f\x8b"));
        bytes += asset.gzip.size();
        first += asset.name.starts_with("app-") ? asset.gzip.size() : 0;
    }
    CHECK(built.assets.size() == 4);
    CHECK(built.index.contains("smsrack status"));  // for those without JavaScript
    constexpr std::size_t bytes_max = 60UL * 1024;
    CHECK(bytes <= bytes_max);
    constexpr std::size_t first_max = 30UL * 1024;
    CHECK(first <= first_max);
}
