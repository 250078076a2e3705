#include "src/wire/json_members.hpp"

#include "src/wire/json.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace smsrack::wire {
namespace {

/// What nlohmann calls while it reads; returning false ends the reading.
class Handler final : public nlohmann::json_sax<Json> {
public:
    explicit Handler(const MemberReader& reader) : reader_(reader) {}

    bool null() override { return take(JsonNull{}); }
    bool boolean(bool value) override { return take(value); }
    bool number_integer(number_integer_t value) override { return take(value); }
    bool number_unsigned(number_unsigned_t value) override {
        return std::in_range<std::int64_t>(value) ? take(static_cast<std::int64_t>(value))
                                                  : take(static_cast<double>(value));
    }
    bool number_float(number_float_t value, const string_t& /*text*/) override {
        return take(value);
    }
    bool string(string_t& value) override { return take(std::move(value)); }
    bool binary(binary_t& /*value*/) override { return take(JsonList{}); }

    bool key(string_t& name) override {
        if (list_depth_ > 0) {
            return true;
        }
        name_ = object_depth_ == 2 ? outer_ + "." + name : std::move(name);
        if (std::ranges::find(seen_, name_) != seen_.end()) {
            return refuse(Errc::bad_request, name_ + ": given twice");
        }
        if (seen_.size() >= members_max) {
            return refuse(Errc::bad_request, "too many members");
        }
        seen_.push_back(name_);
        return true;
    }
    bool start_object(std::size_t /*size*/) override {
        if (list_depth_ > 0) {
            return true;
        }
        if (++object_depth_ > 2) {
            return refuse(Errc::bad_request, name_ + ": must not be an object");
        }
        outer_ = std::exchange(name_, {});
        return true;
    }
    bool end_object() override {
        if (list_depth_ == 0) {
            --object_depth_;
            name_.clear();
        }
        return true;
    }
    bool start_array(std::size_t /*size*/) override { return ++list_depth_ > 1 || take_list(); }
    bool end_array() override {
        --list_depth_;
        return true;
    }
    bool parse_error(std::size_t position, const std::string& /*token*/,
                     const Json::exception& fault) override {
        const std::string_view what = fault.what();
        const bool encoding = what.contains("UTF-8") || what.contains("surrogate");
        const std::string where = name_.empty() ? std::string() : name_ + ": ";
        return refuse(encoding ? Errc::bad_encoding : Errc::bad_request,
                      where + (encoding ? "not valid UTF-8" : "not one JSON value"),
                      static_cast<int>(position));
    }

    std::optional<Error> error;

private:
    bool take(JsonScalar value) {
        if (list_depth_ > 0) {
            return true;
        }
        if (object_depth_ == 0) {
            return refuse(Errc::bad_request, "not a JSON object");
        }
        if (auto taken = reader_(name_, value); !taken) {
            error = std::move(taken.error());
            return false;
        }
        return true;
    }
    bool take_list() {
        --list_depth_;
        const bool taken = take(JsonList{});
        ++list_depth_;
        return taken;
    }
    bool refuse(Errc code, std::string context, int detail = 0) {
        error = Error{.code = code, .detail = detail, .context = std::move(context)};
        return false;
    }

    const MemberReader& reader_;
    std::string name_;
    std::string outer_;
    std::vector<std::string> seen_;
    int object_depth_ = 0;
    int list_depth_ = 0;
};

}  // namespace

Result<> read_members(std::string_view text, const MemberReader& reader) {
    // nlohmann takes a NUL for the end of the text, whatever comes behind it.
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
        return fail(Errc::bad_request, "not one JSON value", static_cast<int>(nul + 1));
    }
    Handler handler(reader);
    const bool read = Json::sax_parse(text, &handler);
    if (handler.error) {
        return std::unexpected(std::move(*handler.error));
    }
    if (!read) {
        return fail(Errc::bad_request, "not one JSON value");
    }
    return {};
}

}  // namespace smsrack::wire
