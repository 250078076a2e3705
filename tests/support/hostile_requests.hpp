/// Requests that two readers could read in two ways, and the status that each gets: over every listener the same.
///
/// Source:  docs/decisions/0001-libuv-and-llhttp.md
#pragma once

#include <string>
#include <vector>

namespace smsrack::test {

struct HostileRequest {
    std::string what;
    std::string text;
    int status;
};

[[nodiscard]] inline std::vector<HostileRequest> hostile_requests() {
    using namespace std::string_literals;
    const std::string post = "POST / HTTP/1.1\r\nHost: a\r\n";
    const std::string chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
    return {
        HostileRequest{"lengths of both kinds",
                       post + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", 400},
        HostileRequest{"the other way round",
                       post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
        HostileRequest{"two different lengths",
                       post + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n", 400},
        HostileRequest{"the same length twice",
                       post + "Content-Length: 5\r\nContent-Length: 5\r\n\r\n", 400},
        HostileRequest{"a list of lengths", post + "Content-Length: 5, 5\r\n\r\n", 400},
        HostileRequest{"a signed length", post + "Content-Length: +25\r\n\r\n", 400},
        HostileRequest{"a negative length", post + "Content-Length: -1\r\n\r\n", 400},
        HostileRequest{"a length of no number", post + "Content-Length: five\r\n\r\n", 400},
        HostileRequest{"an empty length", post + "Content-Length: \r\n\r\n", 400},
        HostileRequest{"a length beyond 64 bits",
                       post + "Content-Length: 99999999999999999999999\r\n\r\n", 400},
        HostileRequest{"a chunk size with 0x", chunked + "0x19\r\n", 400},
        HostileRequest{"a negative chunk size", chunked + "-2\r\n", 400},
        HostileRequest{"an empty chunk size", chunked + "\r\n", 400},
        HostileRequest{"a chunk size beyond 64 bits", chunked + "fffffffffffffffff\r\n", 400},
        HostileRequest{"a chunk size line ended by CR alone", chunked + "5\rhello", 400},
        HostileRequest{"a chunk size line ended by LF alone", chunked + "5\nhello\r\n", 400},
        HostileRequest{"a chunk longer than it says", chunked + "5\r\nhelloX", 400},
        HostileRequest{"a chunk ended by LF alone", chunked + "5\r\nhello\n0\r\n\r\n", 400},
        HostileRequest{"a chunk extension", chunked + "5;a=b\r\nhello\r\n", 400},
        HostileRequest{"a trailer", chunked + "0\r\nX: y\r\n\r\n", 400},
        HostileRequest{"a lone CR after the last chunk", chunked + "0\r\n\rX", 400},
        HostileRequest{"an unknown coding", post + "Transfer-Encoding: xchunked\r\n\r\n", 400},
        HostileRequest{"another coding before", post + "Transfer-Encoding: gzip, chunked\r\n\r\n",
                       400},
        HostileRequest{"chunked not last", post + "Transfer-Encoding: chunked, identity\r\n\r\n",
                       400},
        HostileRequest{"chunked twice",
                       post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
                       400},
        HostileRequest{"chunked on 1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
                       400},
        HostileRequest{"a blank before the colon", post + "X : y\r\n\r\n", 400},
        HostileRequest{"a blank in a name", post + "X Z: y\r\n\r\n", 400},
        HostileRequest{"a line without colon", post + "nothing\r\n\r\n", 400},
        HostileRequest{"an empty name", post + ": y\r\n\r\n", 400},
        HostileRequest{"LF alone", "GET / HTTP/1.1\nHost: a\n\n", 400},
        HostileRequest{"LF alone in one line", "GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n", 400},
        HostileRequest{"NUL in a header", post + "X: a\0b\r\n\r\n"s, 400},
        HostileRequest{"NUL in the path", "GET /\0 HTTP/1.1\r\n"s, 400},
        HostileRequest{"a control character", post + "X: a\x01z\r\n\r\n", 400},
        HostileRequest{"a lone CR as end of head", post + "\rX", 400},
        HostileRequest{"CR CR LF", post + "X: y\r\r\n\r\n", 400},
        HostileRequest{"a lone CR in a value", post + "X: a\rb\r\n\r\n", 400},
        HostileRequest{"a folded line", post + "X: a\r\n b\r\n\r\n", 400},
        HostileRequest{"a line folded by a tabulator", post + "X: a\r\n\tb\r\n\r\n", 400},
        HostileRequest{"a blank line before the headers", "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
                       400},
        HostileRequest{"no Host", "GET / HTTP/1.1\r\n\r\n", 400},
        HostileRequest{"two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400},
        HostileRequest{"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400},
        HostileRequest{"HTTP/1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", 505},
        HostileRequest{"HTTP/0.9", "GET / HTTP/0.9\r\nHost: a\r\n\r\n", 505},
        HostileRequest{"no version", "GET /\r\n\r\n", 505},
        HostileRequest{"an unknown method", "FETCH / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        HostileRequest{"a tunnel", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 501},
        HostileRequest{"a target that is no path", "GET a HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        HostileRequest{"a broken escape", "GET /%4 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        HostileRequest{"an escaped NUL", "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        HostileRequest{"another expectation", post + "Expect: more\r\n\r\n", 417},
        HostileRequest{"TLS on the plain socket", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s,
                       400},
    };
}

}  // namespace smsrack::test
