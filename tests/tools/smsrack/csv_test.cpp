#include "tools/smsrack/messages/csv.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsrack::cli;

TEST_CASE("csv: fields, quotes and separators") {
    struct Case {
        const char* record;
        std::vector<std::string> fields;
    };
    for (const Case& one : std::vector<Case>{
             {"a,b", {"a", "b"}},
             {"", {""}},
             {",", {"", ""}},
             {"a,", {"a", ""}},
             {"\"a\",\"b\"", {"a", "b"}},
             {"\"a,b\",c", {"a,b", "c"}},
             {"\"he said \"\"hi\"\"\",c", {"he said \"hi\"", "c"}},
             {"\"\",x", {"", "x"}},
             {"\"\"\"\",x", {"\"", "x"}},
             {"he said \"hi\",c", {"he said \"hi\"", "c"}},
             {"\"two\nlines\",c", {"two\nlines", "c"}},
             {" a , b ", {" a ", " b "}},
             {"é€😀,ü", {"é€😀", "ü"}},
         }) {
        CAPTURE(one.record);
        const CsvRecord record = parse_csv(one.record, ',');
        CHECK(record.fault.empty());
        CHECK_FALSE(record.open);
        CHECK(record.fields == one.fields);
    }
}

TEST_CASE("csv: open quotes are reported, text after quotes is a fault") {
    CHECK(parse_csv("a,\"b", ',').open);
    CHECK(parse_csv("a,\"b\"\"", ',').open);
    CHECK_FALSE(parse_csv("a,\"b\"x", ',').fault.empty());
    CHECK_FALSE(parse_csv("\"a\" ,b", ',').fault.empty());
}

TEST_CASE("csv: the separator is what the header has most of") {
    CHECK(separator_of("to,text") == ',');
    CHECK(separator_of("to;text;ref") == ';');
    CHECK(separator_of("to\ttext") == '\t');
    CHECK(separator_of("to") == ',');
}
