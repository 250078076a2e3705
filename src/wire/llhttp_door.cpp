#include "src/wire/llhttp_door.hpp"

#include <llhttp.h>

#include <cstddef>

namespace smsrack::wire {

static_assert(LLHTTP_STRICT_MODE == 1, "the loose machine takes any octet for a line end");

class LlhttpDoor::Machine {
public:
    void begin() {
        request = {};
        head = {};
        value_was_last_ = true;
        llhttp_init(&parser_, HTTP_REQUEST, &callbacks());
        parser_.data = this;
    }

    Stop run(std::string_view& input) {
        stop_ = Stop::bad;
        if (llhttp_get_errno(&parser_) == HPE_PAUSED) {
            llhttp_resume(&parser_);
        }
        const llhttp_errno_t error = llhttp_execute(&parser_, input.data(), input.size());
        if (error == HPE_OK) {
            input = {};
            return Stop::taken;
        }
        if (error != HPE_PAUSED) {
            return error == HPE_INVALID_VERSION ? Stop::bad_version : Stop::bad;
        }
        const char* const place = llhttp_get_error_pos(&parser_);
        input.remove_prefix(static_cast<std::size_t>(place - input.data()));
        return stop_;
    }

    [[nodiscard]] std::uint64_t body_left() const { return parser_.content_length; }

    HttpRequest request;
    Head head;
    std::string_view body;

private:
    static Machine& of(llhttp_t* parser) { return *static_cast<Machine*>(parser->data); }
    static int stop_at(llhttp_t* parser, Stop stop) {
        of(parser).stop_ = stop;
        return HPE_PAUSED;
    }

    static const llhttp_settings_t& callbacks();
    static int on_url(llhttp_t* parser, const char* at, std::size_t length);
    static int on_header_field(llhttp_t* parser, const char* at, std::size_t length);
    static int on_header_value(llhttp_t* parser, const char* at, std::size_t length);
    static int on_headers_complete(llhttp_t* parser);
    static int on_body(llhttp_t* parser, const char* at, std::size_t length);
    static int on_chunk_header(llhttp_t* parser);
    static int refuse_extension(llhttp_t* parser, const char* at, std::size_t length);
    static int on_message_complete(llhttp_t* parser);

    llhttp_t parser_{};
    Stop stop_ = Stop::bad;
    bool value_was_last_ = true;
};

const llhttp_settings_t& LlhttpDoor::Machine::callbacks() {
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

int LlhttpDoor::Machine::on_url(llhttp_t* parser, const char* at, std::size_t length) {
    of(parser).head.target.append(at, length);
    return 0;
}

int LlhttpDoor::Machine::on_header_field(llhttp_t* parser, const char* at, std::size_t length) {
    Machine& self = of(parser);
    if (self.value_was_last_) {
        self.request.headers.emplace_back();
        self.value_was_last_ = false;
    }
    std::string& name = self.request.headers.back().name;
    for (const char c : std::string_view(at, length)) {
        name += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    }
    return 0;
}

int LlhttpDoor::Machine::on_header_value(llhttp_t* parser, const char* at, std::size_t length) {
    Machine& self = of(parser);
    if (!self.request.headers.empty()) {
        self.request.headers.back().value.append(at, length);
    }
    self.value_was_last_ = true;
    return 0;
}

int LlhttpDoor::Machine::on_headers_complete(llhttp_t* parser) {
    Machine& self = of(parser);
    parser->upgrade = 0;  // nothing of ours upgrades, so an Upgrade field is ignored (RFC 9110 7.8)
    self.request.method = llhttp_method_name(static_cast<llhttp_method_t>(parser->method));
    self.head.major = parser->http_major;
    self.head.minor = parser->http_minor;
    self.head.chunked = (parser->flags & F_CHUNKED) != 0;
    self.head.content_length = self.head.chunked ? 0 : parser->content_length;
    self.head.keep_alive = llhttp_should_keep_alive(parser) != 0;
    return stop_at(parser, Stop::head);
}

int LlhttpDoor::Machine::on_body(llhttp_t* parser, const char* at, std::size_t length) {
    if (length == 0) {
        return 0;  // a body that stopped at the end of the last input begins again with nothing
    }
    of(parser).body = std::string_view(at, length);
    return stop_at(parser, Stop::body);
}

int LlhttpDoor::Machine::on_chunk_header(llhttp_t* parser) {
    return parser->content_length == 0 ? stop_at(parser, Stop::last_chunk) : 0;
}

int LlhttpDoor::Machine::refuse_extension(llhttp_t* /*parser*/, const char* /*at*/,
                                          std::size_t /*length*/) {
    return HPE_USER;
}

int LlhttpDoor::Machine::on_message_complete(llhttp_t* parser) {
    return stop_at(parser, Stop::message);
}

LlhttpDoor::LlhttpDoor() : machine_(std::make_unique<Machine>()) {
    machine_->begin();
}

LlhttpDoor::~LlhttpDoor() = default;

void LlhttpDoor::begin() {
    machine_->begin();
}

LlhttpDoor::Stop LlhttpDoor::run(std::string_view& input) {
    return machine_->run(input);
}

HttpRequest& LlhttpDoor::request() {
    return machine_->request;
}

const LlhttpDoor::Head& LlhttpDoor::head() const {
    return machine_->head;
}

std::string_view LlhttpDoor::body() const {
    return machine_->body;
}

std::uint64_t LlhttpDoor::body_left() const {
    return machine_->body_left();
}

}  // namespace smsrack::wire
