#include "src/wire/http1.hpp"

#include "src/base/check.hpp"
#include "src/wire/http_head_check.hpp"
#include "src/wire/http_head_scan.hpp"

#include <llhttp.h>

#include <algorithm>

namespace smsrack::wire {

static_assert(LLHTTP_STRICT_MODE == 1, "the loose machine takes any octet for a line end");

/// llhttp pauses at each thing to tell; so its callbacks only note what it was.
class Http1Parser::Machine {
public:
    explicit Machine(Http1Limits limits) : limits_(limits) { begin_message(); }

    Step next(std::string_view& input) {
        switch (phase_) {
            case Phase::head:
                return take_head(input);
            case Phase::body:
                return take_body(input);
            case Phase::last_chunk:
                return take_last_chunk(input);
            case Phase::refused:
                return Step::refused;
        }
        return Step::refused;
    }

    HttpRequest request;
    std::string_view body;
    Refusal refusal;
    std::uint64_t content_length = 0;

    [[nodiscard]] bool at_rest() const {
        return phase_ == Phase::head && scan_.at_rest() && head_.empty();
    }

private:
    enum class Phase : std::uint8_t { head, body, last_chunk, refused };
    enum class Pause : std::uint8_t { none, headers, body, last_chunk, message };

    static const llhttp_settings_t& callbacks();
    static Machine& of(llhttp_t* parser) { return *static_cast<Machine*>(parser->data); }
    static int pause_at(llhttp_t* parser, Pause pause) {
        of(parser).pause_ = pause;
        return HPE_PAUSED;
    }

    void begin_message() {
        phase_ = Phase::head;
        head_.clear();
        last_chunk_octets_ = 0;
        value_was_last_ = true;
        llhttp_init(&parser_, HTTP_REQUEST, &callbacks());
        parser_.data = this;
    }

    Step refuse(int status, std::string_view reason) {
        phase_ = Phase::refused;
        refusal = {.status = status, .reason = reason};
        return Step::refused;
    }

    Step take_head(std::string_view& input);
    Step parse_head(std::string_view head);
    Step take_body(std::string_view& input);
    Step take_last_chunk(std::string_view& input);
    /// Runs llhttp over `input` up to its next pause and drops what it took.
    llhttp_errno_t run(std::string_view& input);

    static int on_url(llhttp_t* parser, const char* at, std::size_t length);
    static int on_header_field(llhttp_t* parser, const char* at, std::size_t length);
    static int on_header_value(llhttp_t* parser, const char* at, std::size_t length);
    static int on_headers_complete(llhttp_t* parser);
    static int on_body(llhttp_t* parser, const char* at, std::size_t length);
    static int on_chunk_header(llhttp_t* parser);
    static int refuse_extension(llhttp_t* parser, const char* at, std::size_t length);
    static int on_message_complete(llhttp_t* parser);

    const Http1Limits limits_;
    llhttp_t parser_{};
    Phase phase_ = Phase::head;
    Pause pause_ = Pause::none;
    HeadScan scan_;
    std::string head_;  // of a head that comes in pieces, <= head_bytes_max
    std::string target_;
    bool value_was_last_ = true;
    int last_chunk_octets_ = 0;
};

const llhttp_settings_t& Http1Parser::Machine::callbacks() {
    static const llhttp_settings_t settings = [] {
        llhttp_settings_t made;
        llhttp_settings_init(&made);
        made.on_url = on_url;
        made.on_header_field = on_header_field;
        made.on_header_value = on_header_value;
        made.on_headers_complete = on_headers_complete;
        made.on_body = on_body;
        made.on_chunk_header = on_chunk_header;
        made.on_chunk_extension_name = refuse_extension;
        made.on_chunk_extension_value = refuse_extension;
        made.on_message_complete = on_message_complete;
        return made;
    }();
    return settings;
}

int Http1Parser::Machine::on_url(llhttp_t* parser, const char* at, std::size_t length) {
    of(parser).target_.append(at, length);
    return 0;
}

int Http1Parser::Machine::on_header_field(llhttp_t* parser, const char* at, std::size_t length) {
    Machine& self = of(parser);
    if (self.value_was_last_) {
        self.request.headers.emplace_back();
        self.value_was_last_ = false;
    }
    std::string& name = self.request.headers.back().name;
    const std::size_t from = name.size();
    name.append(at, length);
    std::ranges::transform(name.begin() + static_cast<std::ptrdiff_t>(from), name.end(),
                           name.begin() + static_cast<std::ptrdiff_t>(from), [](char c) {
                               return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
                           });
    return 0;
}

int Http1Parser::Machine::on_header_value(llhttp_t* parser, const char* at, std::size_t length) {
    Machine& self = of(parser);
    if (!self.request.headers.empty()) {
        self.request.headers.back().value.append(at, length);
    }
    self.value_was_last_ = true;
    return 0;
}

int Http1Parser::Machine::on_headers_complete(llhttp_t* parser) {
    parser->upgrade = 0;  // nothing of ours upgrades, so an Upgrade field is ignored (RFC 9110 7.8)
    return pause_at(parser, Pause::headers);
}

int Http1Parser::Machine::on_body(llhttp_t* parser, const char* at, std::size_t length) {
    if (length == 0) {
        return 0;  // a body that stopped at the end of the last input begins again with nothing
    }
    of(parser).body = std::string_view(at, length);
    return pause_at(parser, Pause::body);
}

int Http1Parser::Machine::on_chunk_header(llhttp_t* parser) {
    return parser->content_length == 0 ? pause_at(parser, Pause::last_chunk) : 0;
}

int Http1Parser::Machine::refuse_extension(llhttp_t* /*parser*/, const char* /*at*/,
                                           std::size_t /*length*/) {
    return HPE_USER;
}

int Http1Parser::Machine::on_message_complete(llhttp_t* parser) {
    return pause_at(parser, Pause::message);
}

llhttp_errno_t Http1Parser::Machine::run(std::string_view& input) {
    pause_ = Pause::none;
    if (llhttp_get_errno(&parser_) == HPE_PAUSED) {
        llhttp_resume(&parser_);
    }
    const llhttp_errno_t error = llhttp_execute(&parser_, input.data(), input.size());
    const char* const stop =
        error == HPE_OK ? input.data() + input.size() : llhttp_get_error_pos(&parser_);
    input.remove_prefix(static_cast<std::size_t>(stop - input.data()));
    return error;
}

Http1Parser::Step Http1Parser::Machine::take_head(std::string_view& input) {
    std::size_t taken = 0;
    const HeadScan::Found found = scan_.scan(input, taken);
    if (head_.size() + taken > limits_.head_bytes_max) {
        return refuse(431, "the head is too large");
    }
    if (found == HeadScan::Found::fault) {
        return refuse(400, scan_.fault());
    }
    const std::string_view piece = input.substr(0, taken);
    input.remove_prefix(taken);
    if (found == HeadScan::Found::end && head_.empty()) {
        return parse_head(piece);
    }
    head_ += piece;
    return found == HeadScan::Found::end ? parse_head(head_) : Step::need_more;
}

Http1Parser::Step Http1Parser::Machine::parse_head(std::string_view head) {
    request = {};
    target_.clear();
    const llhttp_errno_t error = run(head);
    if (error == HPE_INVALID_VERSION) {
        return refuse(505, "only HTTP/1.0 and HTTP/1.1 are spoken here");
    }
    if (error != HPE_PAUSED || pause_ != Pause::headers || !head.empty()) {
        return refuse(400, "not an HTTP request");
    }
    request.method = llhttp_method_name(static_cast<llhttp_method_t>(parser_.method));
    const HeadFacts facts{
        .major = parser_.http_major,
        .minor = parser_.http_minor,
        .target = target_,
        .headers_max = limits_.headers_max,
    };
    if (const auto fault = check_head(facts, request)) {
        return refuse(fault->status, fault->reason);
    }
    const bool chunked = (parser_.flags & F_CHUNKED) != 0;
    content_length = chunked ? 0 : parser_.content_length;
    request.has_body = chunked || content_length > 0;
    request.keep_alive = llhttp_should_keep_alive(&parser_) != 0;
    phase_ = Phase::body;
    return Step::head;
}

Http1Parser::Step Http1Parser::Machine::take_body(std::string_view& input) {
    const llhttp_errno_t error = run(input);
    if (error == HPE_OK) {
        return Step::need_more;
    }
    if (error != HPE_PAUSED) {
        return refuse(400, "the body's framing is broken");
    }
    switch (pause_) {
        case Pause::body:
            return Step::body;
        case Pause::last_chunk:
            phase_ = Phase::last_chunk;
            return take_last_chunk(input);
        case Pause::message:
            begin_message();
            return Step::complete;
        case Pause::none:
        case Pause::headers:
            break;
    }
    return refuse(400, "the body's framing is broken");
}

Http1Parser::Step Http1Parser::Machine::take_last_chunk(std::string_view& input) {
    constexpr std::string_view wanted = "\r\n";
    while (last_chunk_octets_ < 2) {
        if (input.empty()) {
            return Step::need_more;
        }
        if (input[0] != wanted[static_cast<std::size_t>(last_chunk_octets_)]) {
            return refuse(400, "trailers are not accepted");
        }
        input.remove_prefix(1);
        ++last_chunk_octets_;
    }
    std::string_view rest = wanted;
    const llhttp_errno_t error = run(rest);
    SMSRACK_CHECK(error == HPE_PAUSED && pause_ == Pause::message && rest.empty());
    begin_message();
    return Step::complete;
}

Http1Parser::Http1Parser(Http1Limits limits) : machine_(std::make_unique<Machine>(limits)) {}
Http1Parser::~Http1Parser() = default;

Http1Parser::Step Http1Parser::next(std::string_view& input) {
    return machine_->next(input);
}

HttpRequest& Http1Parser::head() {
    return machine_->request;
}

std::string_view Http1Parser::body() const {
    return machine_->body;
}

Http1Parser::Refusal Http1Parser::refusal() const {
    return machine_->refusal;
}

std::uint64_t Http1Parser::content_length() const {
    return machine_->content_length;
}

bool Http1Parser::at_rest() const {
    return machine_->at_rest();
}

}  // namespace smsrack::wire
