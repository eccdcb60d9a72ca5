

class SiteSpider(scrapy.Spider):
    """Reads every page it is given and follows links to pages of a known type:

        scrapy runspider FILE -a start=https://... -O items.jsonl
    """

    name = @NAME@

    def __init__(self, start="", follow="yes", **arguments):
        super().__init__(**arguments)
        self.start_urls = start.split()
        self.follow = follow != "no"

    def parse(self, response):
        item = extract(response.text, response.url)
        if item is not None:
            yield item
        if self.follow:
            for link in response.xpath("//a/@href").getall():
                url = absolute(link, base(response.selector.root, response.url)).split("#")[0]
                if url.startswith("http") and route(url):
                    yield response.follow(url, self.parse)
